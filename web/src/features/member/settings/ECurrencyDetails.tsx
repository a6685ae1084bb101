import { Skeleton, Tabs, TextInput } from '@mantine/core'
import { Card } from '@/components/Card.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { useHasDraft } from '@/components/form/draft.ts'
import { outcomeOf, useCheckedForm } from '@/components/form/form.ts'
import { PasswordField } from '@/components/form/PasswordField.tsx'
import { PlainForm } from '@/components/form/PlainForm.tsx'
import { PageHeader } from '@/components/PageHeader.tsx'
import { refreshAll } from '@/lib/queries/dashboard.ts'
import { useMoneyRules } from '@/lib/queries/moneyRules.ts'
import type { Information } from '@/lib/queries/userInformation.ts'
import { useRouteTitle } from '@/lib/route.ts'
import { type WalletValues, walletRules } from '@/lib/rules/forms.ts'
import { LIMITS } from '@/lib/rules/limits.ts'
import { useSession } from '@/lib/session.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import { BANK_DRAFT, BankForm } from './BankForm.tsx'
import { change, useInformation } from './information.ts'
import styles from './Settings.module.css'

const DONE = ['result.wallet_updated']

/**
 * The address that withdrawals are paid to. Bank details are shown if the installation has them.
 */
export function Component() {
  const { settings: t } = useMemberStrings()
  const { data, error, refetch } = useInformation()
  const { data: rules } = useMoneyRules()
  const begun = useHasDraft(BANK_DRAFT)
  return (
    <>
      <PageHeader title={useRouteTitle()} />
      {error && <ErrorNotice error={error} text={t.failed} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={280} />}
      {data && (
        <Card className={styles.narrow}>
          <Tabs defaultValue={begun && rules?.bankDetails ? 'bank' : 'usdt'}>
            <Tabs.List className={styles.tabs ?? ''}>
              <Tabs.Tab value="usdt">{t.usdtTab}</Tabs.Tab>
              {rules?.bankDetails && <Tabs.Tab value="bank">{t.bankTab}</Tabs.Tab>}
            </Tabs.List>
            <Tabs.Panel value="usdt">
              <WalletForm saved={data} waitHours={rules?.walletWaitHours} />
            </Tabs.Panel>
            {rules?.bankDetails && (
              <Tabs.Panel value="bank">
                <BankForm saved={data} />
              </Tabs.Panel>
            )}
          </Tabs>
        </Card>
      )}
    </>
  )
}

function WalletForm({ saved, waitHours }: { saved: Information; waitHours: number | undefined }) {
  const { settings: t } = useMemberStrings()
  const { userId } = useSession()
  const form = useCheckedForm<WalletValues & Record<string, unknown>>(
    { address: saved.accountaddress, transactionPassword: '' },
    walletRules,
    { screen: 'ECurrencyDetails', fields: ['address'] },
  )
  return (
    <PlainForm
      form={form}
      call={({ address, transactionPassword }, key) =>
        change(
          {
            type: 'ecurrency',
            uid: userId,
            accountaddress: address,
            ctrans_password: transactionPassword,
          },
          key,
        )
      }
      outcome={({ data }) => outcomeOf(data.Result, data, DONE)}
      fields={{ accountaddress: 'address', ctrans_password: 'transactionPassword' }}
      onDone={() => {
        form.setFieldValue('transactionPassword', '')
        return refreshAll()
      }}
    >
      <TextInput
        label={t.usdtAddress}
        maxLength={LIMITS.walletAddress}
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('address')}
      />
      <PasswordField
        label={t.transactionPassword}
        maxLength={LIMITS.transactionPassword}
        autoComplete="off"
        {...form.getInputProps('transactionPassword')}
      />
      <p className={styles.note}>{waitHours !== undefined && t.walletNote({ hours: waitHours })}</p>
    </PlainForm>
  )
}
