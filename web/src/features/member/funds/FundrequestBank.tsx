import { NativeSelect, Skeleton, TextInput } from '@mantine/core'
import { Card } from '@/components/Card.tsx'
import { Columns } from '@/components/Columns.tsx'
import { Copy } from '@/components/Copy.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { Facts } from '@/components/Facts.tsx'
import { Digits } from '@/components/form/Digits.tsx'
import { type CheckedForm, outcomeOf, useCheckedForm } from '@/components/form/form.ts'
import { PlainForm } from '@/components/form/PlainForm.tsx'
import { PageHeader, PageStack } from '@/components/PageHeader.tsx'
import { ReportList } from '@/components/table/ReportScreen.tsx'
import { answerOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { underKey } from '@/lib/api/submit.ts'
import { refreshAll } from '@/lib/queries/dashboard.ts'
import { useRouteTitle } from '@/lib/route.ts'
import { LIMITS } from '@/lib/rules/limits.ts'
import { useSession } from '@/lib/session.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import { useBanks } from './banks.ts'
import styles from './Funds.module.css'
import { bankRequests } from './requests.tsx'

type Bank = components['schemas']['BankRow']

interface Values extends Record<string, unknown> {
  bank: string
  amount: string
  utr: string
}

const DONE = ['result.done']
/** This form has no checks: the server reports missing fields. */
const NO_RULES = [] as const
const DRAFT = { screen: 'FundrequestBank', fields: ['bank', 'amount', 'utr'] } as const

/** The member reports a payment into a bank account of the company. */
export function Component() {
  const { funds: t } = useMemberStrings()
  const form = useCheckedForm<Values>({ bank: '', amount: '', utr: '' }, NO_RULES, DRAFT)
  const { data: banks, error, refetch } = useBanks()
  const chosen = banks?.find(({ id }) => id === form.values.bank)
  return (
    <PageStack>
      <PageHeader title={useRouteTitle()} />
      {error && <ErrorNotice error={error} text={t.banksFailed} onRetry={() => void refetch()} />}
      {!banks && !error && <Skeleton height={280} />}
      {banks?.length === 0 && <p className={styles.note}>{t.noBanks}</p>}
      {banks && banks.length > 0 && (
        <Columns side={<BankDetails bank={chosen} />}>
          <Card title={t.sayBank}>
            <RequestForm form={form} banks={banks} />
          </Card>
        </Columns>
      )}
      <Card title={t.bankList}>
        <ReportList report={bankRequests} label={t.bankList} />
      </Card>
    </PageStack>
  )
}

function RequestForm({ form, banks }: { form: CheckedForm<Values>; banks: readonly Bank[] }) {
  const { funds: t } = useMemberStrings()
  const { userId } = useSession()
  return (
    <PlainForm
      form={form}
      call={({ bank, amount, utr }, key) =>
        answerOf(
          api.POST('/api/FundRequest', {
            body: { uid: userId, bankid: bank, amount, utrno: utr },
            ...underKey(key),
          }),
        )
      }
      outcome={(answer) => outcomeOf(answer.data, answer, DONE, t.bankDone)}
      fields={{ bankid: 'bank', utrno: 'utr' }}
      onDone={() => {
        form.reset()
        return refreshAll()
      }}
    >
      <NativeSelect
        label={t.bank}
        data={[
          { value: '', label: t.selectBank },
          ...banks.map(({ id, bank_name }) => ({ value: id, label: bank_name })),
        ]}
        {...form.getInputProps('bank')}
      />
      <Digits
        dollars
        label={t.amountDollars}
        most={LIMITS.amount}
        {...form.getInputProps('amount')}
      />
      <TextInput
        label={t.utr}
        maxLength={LIMITS.utr}
        autoComplete="off"
        {...form.getInputProps('utr')}
      />
    </PlainForm>
  )
}

/** The receiving account, read-only. */
function BankDetails({ bank }: { bank: Bank | undefined }) {
  const { funds: t } = useMemberStrings()
  return (
    <Card
      title={t.bankDetails}
      actions={bank && <Copy text={bank.btcname} copied={t.accountCopied} label={t.account} />}
    >
      {bank ? (
        <Facts
          facts={[
            [t.bank, bank.bank_name],
            [t.holder, bank.acholdername],
            [t.account, bank.btcname],
            [t.ifsc, bank.ifsc],
            [t.branch, bank.Branch],
          ]}
        />
      ) : (
        <p className={styles.note}>{t.chooseBank}</p>
      )}
    </Card>
  )
}
