import { Alert, NativeSelect, Skeleton, TextInput } from '@mantine/core'
import { Card } from '@/components/Card.tsx'
import { Columns } from '@/components/Columns.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { Digits } from '@/components/form/Digits.tsx'
import { outcomeOf, useCheckedForm } from '@/components/form/form.ts'
import { PlainForm } from '@/components/form/PlainForm.tsx'
import { PageHeader, PageStack } from '@/components/PageHeader.tsx'
import { ReportList } from '@/components/table/ReportScreen.tsx'
import { answerOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import { underKey } from '@/lib/api/submit.ts'
import { formatMoment, zone } from '@/lib/dates.ts'
import { fundOptions } from '@/lib/funds.ts'
import { refreshAll } from '@/lib/queries/dashboard.ts'
import { useRouteTitle } from '@/lib/route.ts'
import { type FundRequestUsdtValues, fundRequestUsdtRules } from '@/lib/rules/forms.ts'
import { LIMITS } from '@/lib/rules/limits.ts'
import { useSession } from '@/lib/session.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import { Announce, Announced } from './Announced.tsx'
import { useUsdtAddress } from './banks.ts'
import { useDeposit, useRequests } from './deposit.ts'
import styles from './Funds.module.css'
import { OnTheWay, OwnAddress } from './OwnAddress.tsx'
import { PayTo } from './PayTo.tsx'
import type { Deposit } from './queries.ts'
import { ownRequests, usdtRequests } from './requests.tsx'

const WAY = 'USDT (BEP-20)'
const USDT_BANK = 2
const DONE = ['result.done']
const FIELDS = { utrno: 'transactionNumber', Fundtype: 'fundType' } as const

/** The member reports a payment in USDT; an operator credits it. */
export function Component() {
  const { funds: t, deposit } = useMemberStrings()
  const { data } = useDeposit()
  const announces = data?.mode === 'intent'
  const own = data?.mode === 'address'
  return (
    <PageStack>
      <PageHeader title={useRouteTitle()} />
      {data?.mode === 'hash' && <Steps />}
      <Columns
        // The address is the first step: on a phone it comes before the form.
        sideFirst
        side={own ? <OwnAddress deposit={data} /> : <Address by={data} />}
      >
        {announces && <Announce />}
        {announces && <Announced deposit={data} />}
        {data && !announces && <OnTheWay seen={data.seen} />}
        <Card title={t.sayUsdt}>
          {announces && <p className={styles.lead}>{deposit.formNote}</p>}
          <RequestForm />
        </Card>
      </Columns>
      <Card title={t.usdtList}>
        <ReportList report={own ? ownRequests : usdtRequests} label={t.usdtList} />
      </Card>
    </PageStack>
  )
}

/** The three steps of a payment by hash, and how many requests wait. */
function Steps() {
  const { funds: t } = useMemberStrings()
  const { data: requests } = useRequests(true)
  const waiting = requests?.filter(({ st }) => st === 'Pending').length ?? 0
  return (
    <section aria-label={t.stepsLabel}>
      <ol className={styles.steps}>
        {[t.steps.send, t.steps.paste, t.steps.credit].map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p role="status" className={styles.note}>
        {waiting > 0 ? t.waiting({ count: waiting }) : t.creditText}
      </p>
    </section>
  )
}

/** The company's address, until it is known whether the member has an own one. */
function Address({ by }: { by: Deposit | undefined }) {
  const { funds: t, deposit } = useMemberStrings()
  const { data, error, refetch } = useUsdtAddress()
  const { btcaddress: address, next_address: next, next_from: from } = data?.[0] ?? {}
  return (
    <Card title={t.address}>
      {error ? (
        <ErrorNotice error={error} text={t.addressFailed} onRetry={() => void refetch()} />
      ) : address ? (
        <div className={styles.address}>
          {next && from && <NextAddress next={next} from={from} />}
          <PayTo address={address} label={t.address} />
          {by?.mode === 'intent' && <p>{deposit.addressNote}</p>}
          <p className={styles.note}>{t.addressNote}</p>
        </div>
      ) : data ? (
        <p className={styles.note}>{t.noAddress}</p>
      ) : (
        <Skeleton height={280} />
      )}
    </Card>
  )
}

/** Announces a change of the address: members may have saved the old one. */
function NextAddress({ next, from }: { next: string; from: string }) {
  const { funds: t } = useMemberStrings()
  return (
    <Alert variant="default" title={t.nextAddress({ when: formatMoment(from, zone()) })}>
      <p className={styles.next}>{next}</p>
      <p>{t.nextAddressText}</p>
    </Alert>
  )
}

function RequestForm() {
  const strings = useMemberStrings()
  const t = strings.funds
  const { userId } = useSession()
  const form = useCheckedForm<FundRequestUsdtValues & Record<string, unknown>>(
    { amount: '', transactionNumber: '', fundType: '' },
    fundRequestUsdtRules,
    { screen: 'FundRequestECurrency', fields: ['amount', 'transactionNumber', 'fundType'] },
  )
  return (
    <PlainForm
      form={form}
      call={({ amount, transactionNumber, fundType }, key) =>
        answerOf(
          api.POST('/api/FundRequest', {
            body: {
              uid: userId,
              bankid: USDT_BANK,
              usertype: WAY,
              amount,
              utrno: transactionNumber,
              Fundtype: fundType,
            },
            ...underKey(key),
          }),
        )
      }
      outcome={(answer) => outcomeOf(answer.data, answer, DONE, t.usdtDone)}
      fields={FIELDS}
      onDone={() => {
        form.reset()
        return refreshAll()
      }}
    >
      <NativeSelect
        label={t.fundType}
        data={[{ value: '', label: t.selectFund }, ...fundOptions(strings)]}
        {...form.getInputProps('fundType')}
      />
      <Digits
        dollars
        label={t.amountDollars}
        most={LIMITS.amount}
        {...form.getInputProps('amount')}
      />
      <TextInput
        label={t.transactionNumber}
        description={t.hashHint}
        maxLength={LIMITS.transactionNumber}
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('transactionNumber')}
      />
    </PlainForm>
  )
}
