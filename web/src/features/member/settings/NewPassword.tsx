import { type ReactNode, useState } from 'react'
import { Card } from '@/components/Card.tsx'
import { Digits } from '@/components/form/Digits.tsx'
import { outcomeOf, useCheckedForm } from '@/components/form/form.ts'
import { PasswordField } from '@/components/form/PasswordField.tsx'
import { PlainForm } from '@/components/form/PlainForm.tsx'
import { PageHeader } from '@/components/PageHeader.tsx'
import type { components } from '@/lib/api/schema.d.ts'
import { useRouteTitle } from '@/lib/route.ts'
import {
  type NewPasswordValues,
  newPasswordByCodeRules,
  newPasswordRules,
} from '@/lib/rules/forms.ts'
import { LIMITS } from '@/lib/rules/limits.ts'
import { useSession } from '@/lib/session.ts'
import { type MemberStrings, useMemberStrings } from '@/lib/strings/member.ts'
import { change } from './information.ts'
import styles from './Settings.module.css'

type Texts = MemberStrings['settings']

/** The differences between the two passwords. */
interface NewPassword {
  body: (values: NewPasswordValues) => Partial<components['schemas']['ProfileBody']>
  /** The server's name of the field. */
  fields: Readonly<Record<string, string>>
  /** The greatest length. */
  most: number
  oldMost: number
  /** Above the form. */
  notice?: () => ReactNode
  /** Below the form. */
  more?: () => ReactNode
  /** Called after the change. */
  useDone?: () => () => unknown
  texts: (t: Texts) => { old: string; next: string; confirm: string; done: string; note: string }
}

/** The code of either change. */
const DONE = 'result.password_changed'
/** If the installation asks for a code, the first press mails it and the second one sends it. */
const CODE_SENT = 'result.code_sent'
const EMPTY = { old: '', next: '', confirm: '', otp: '' }

export function newPasswordScreen(given: NewPassword) {
  const { body, fields, most, oldMost, texts, useDone = () => () => undefined } = given
  return function NewPasswordScreen() {
    const { settings } = useMemberStrings()
    const t = texts(settings)
    const { userId } = useSession()
    const onChanged = useDone()
    const [hasCode, setHasCode] = useState(false)
    const form = useCheckedForm<NewPasswordValues & Record<string, unknown>>(
      EMPTY,
      hasCode ? newPasswordByCodeRules : newPasswordRules,
    )
    return (
      <>
        <PageHeader title={useRouteTitle()} />
        {given.notice?.()}
        <Card className={styles.narrow}>
          <PlainForm
            form={form}
            submit={settings.update}
            call={(values, key) => change({ uid: userId, ...body(values) }, key)}
            outcome={({ data }) =>
              outcomeOf(
                data.Result,
                data,
                [DONE, CODE_SENT],
                data.code === DONE ? t.done : undefined,
              )
            }
            fields={fields}
            onDone={({ data: { code } }) => {
              setHasCode(code === CODE_SENT)
              if (code !== DONE) return undefined
              form.reset()
              return onChanged()
            }}
          >
            <PasswordField
              label={t.old}
              maxLength={oldMost}
              autoComplete="current-password"
              {...form.getInputProps('old')}
            />
            <PasswordField
              label={t.next}
              maxLength={most}
              autoComplete="new-password"
              {...form.getInputProps('next')}
            />
            <PasswordField
              label={t.confirm}
              maxLength={most}
              autoComplete="new-password"
              {...form.getInputProps('confirm')}
            />
            {hasCode && (
              <Digits
                label={settings.otp}
                description={settings.otpHint}
                most={LIMITS.otp}
                autoComplete="one-time-code"
                {...form.getInputProps('otp')}
              />
            )}
            <p className={styles.note}>{t.note}</p>
          </PlainForm>
        </Card>
        {given.more?.()}
      </>
    )
  }
}
