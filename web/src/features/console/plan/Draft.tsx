import { Button, Textarea, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import { Card } from '@/components/Card.tsx'
import { type Act, useAct } from '@/components/console/ActDialog.tsx'
import { Changes, Mistakes } from '@/components/console/draft/Findings.tsx'
import { JsonForm } from '@/components/console/draft/JsonForm.tsx'
import { at, type Json, type Mistake, parseJson, withAt } from '@/components/console/draft/tree.ts'
import { useChecked } from '@/components/console/draft/useChecked.ts'
import layout from '@/components/console/layout.module.css'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { answerOf } from '@/lib/api/answer.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { underKey } from '@/lib/api/submit.ts'
import { formatDay } from '@/lib/dates.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import { type ConsoleStrings, useConsoleStrings } from '@/lib/strings/console.ts'
import { serverText } from '@/lib/strings/serverText.ts'
import styles from './Plan.module.css'
import { WhatIf } from './WhatIf.tsx'
import { warningFacts } from './warning.tsx'

type Check = components['schemas']['PlanCheck']

/** The last date of a date input: years of five digits are typing errors. */
const LAST_DAY = '9999-12-31'

interface Body {
  plan: Json
  from: string
}

const validate = async ({ plan, from }: Body): Promise<Check> => {
  const body = { plan, ...(from && { from }) }
  return (await answerOf(operatorApi.POST('/api/operator/plan/validate', { body }))).data
}

/** A draft that starts from the current plan: its check, its simulation and its proposal. */
export function Draft({ current, mayPropose }: { current: unknown; mayPropose: boolean }) {
  const strings = useConsoleStrings()
  const { plans: t } = strings
  const initial = useMemo(() => JSON.stringify(current, null, 2), [current])
  const [text, setText] = useState(initial)
  const [from, setFrom] = useState('')
  const parsed = useMemo(() => parseJson(text), [text])
  const body = useMemo(
    () => (parsed && (text !== initial || from !== '') ? { plan: parsed.value, from } : null),
    [parsed, text, initial, from],
  )
  const { check, fresh, error, retry } = useChecked(body, validate)
  const { ask, dialog } = useAct()
  const mistakes = check?.mistakes ?? []
  const whole = fresh && check?.valid === true
  const warning = check ? serverText(check.warning, check) : ''
  const fromWrong = mistakes.find(({ field }) => field === 'from')
  return (
    <>
      <Card title={t.draft}>
        <div className={layout.page}>
          <p className={layout.muted}>{t.draftText}</p>
          {parsed && (
            <Figures
              plan={parsed.value}
              mistakes={mistakes}
              onChange={(plan) => setText(JSON.stringify(plan, null, 2))}
            />
          )}
          <PlanText text={text} wrong={!parsed} onChange={setText} />
          <TextInput
            type="date"
            label={t.from}
            max={LAST_DAY}
            value={from}
            error={fromWrong && serverText(fromWrong.message, fromWrong)}
            onChange={(event) => setFrom(event.currentTarget.value)}
          />
          <p role="status" className={styles.warning}>
            {fresh && warning}
          </p>
          {error !== null && <ErrorNotice error={error} text={t.failed} onRetry={retry} />}
          {body && check && (
            <div role="status" className={layout.page}>
              <Mistakes mistakes={mistakes} />
              <Changes changes={check.changes} />
            </div>
          )}
          {mayPropose && (
            <div className={layout.acts}>
              <Button
                disabled={!whole || from === ''}
                onClick={() => body && ask(propose(body, warning, strings))}
              >
                {t.propose.confirm}
              </Button>
            </div>
          )}
        </div>
        {dialog}
      </Card>
      <WhatIf plan={whole && body ? body.plan : null} mayStart={mayPropose} />
    </>
  )
}

/** The figures that change most often; the JSON has all of them. */
const FIGURES = [
  'version',
  'withdraw.min',
  'withdraw.charge_ppm',
  'cooling_off_days',
  'grace_minutes',
  'match.rate_ppm',
  'pools_ppm.LEVEL',
  'pools_ppm.MATCH',
  'pools_ppm.LEAD',
  'pools_ppm.ROYALTY',
  'profit_split_ppm.member',
  'profit_split_ppm.level',
  'profit_split_ppm.fee',
] as const

interface FiguresProps {
  plan: Json
  mistakes: readonly Mistake[]
  onChange: (plan: Json) => void
}

function Figures({ plan, mistakes, onChange }: FiguresProps) {
  const { plans: t } = useConsoleStrings()
  return (
    <fieldset className={styles.figures}>
      <legend className={styles.legend}>{t.figures}</legend>
      <p className={layout.muted}>{t.millionths}</p>
      <div className={layout.columns}>
        {FIGURES.map((path) => {
          const value = at(plan, path)
          return (
            value !== undefined && (
              <JsonForm
                key={path}
                value={value}
                path={path}
                label={t.fields[path]}
                mistakes={mistakes}
                onChange={(next) => onChange(withAt(plan, path, next))}
              />
            )
          )
        })}
      </div>
    </fieldset>
  )
}

interface PlanTextProps {
  text: string
  wrong: boolean
  onChange: (text: string) => void
}

function PlanText({ text, wrong, onChange }: PlanTextProps) {
  const { plans: t, draft } = useConsoleStrings()
  return (
    <Textarea
      label={t.file}
      rows={16}
      spellCheck={false}
      className={styles.text ?? ''}
      value={text}
      error={wrong ? draft.noJson : undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

const propose = (body: Body, warning: string, strings: ConsoleStrings): Act => ({
  ...strings.plans.propose,
  facts: [[strings.plans.from, formatDay(body.from)], ...warningFacts(warning, strings)],
  fields: [{ name: 'reason', label: strings.console.act.reason }],
  call: ({ reason = '' }, key) =>
    answerOf(
      operatorApi.POST('/api/operator/plan/propose', {
        body: { ...body, reason },
        ...underKey(key),
      }),
    ),
})
