import { Button } from '@mantine/core'
import { Card } from '@/components/Card.tsx'
import { useAct } from '@/components/console/ActDialog.tsx'
import { Changes, Mistakes } from '@/components/console/draft/Findings.tsx'
import { JsonForm, labelOf } from '@/components/console/draft/JsonForm.tsx'
import { isObject, type Json } from '@/components/console/draft/tree.ts'
import layout from '@/components/console/layout.module.css'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import type { Check, Section, SectionName } from '@/lib/operator/queries/settings.ts'
import { useMay } from '@/lib/operator/rights.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import { propose, rightFor } from './acts.ts'
import { History } from './History.tsx'
import { PendingProposal } from './PendingProposal.tsx'
import { useDraft } from './useDraft.ts'

const BANK = { id: 1, bank_name: '', acholdername: '', account_number: '', ifsc: '', branch: '' }
export const SAMPLES = {
  banks: BANK,
  social: { network: 'facebook', href: 'https://' },
  trends: '',
} as const

/**
 * A section of the settings: its fields, the server's check, the pending proposal and the history.
 */
export function Editor({ section }: { section: Section }) {
  const name = section.section
  const { installation: t } = useConsoleStrings()
  const may = useMay()(rightFor(name))
  const state = useDraft(name, section.body as Json)
  const frozen = !may || section.waiting !== undefined || section.next !== undefined
  return (
    <>
      <Card title={t.sections[name]}>
        <div className={layout.page}>
          <p className={layout.muted}>{t.hints[name]}</p>
          <Fields
            draft={state.draft}
            check={state.check}
            disabled={frozen}
            onChange={state.setDraft}
          />
          {!frozen && <DraftCheck section={section} state={state} />}
        </div>
      </Card>
      {section.waiting && <PendingProposal id={section.waiting.id} section={name} />}
      <History section={name} onRestore={frozen ? undefined : state.setDraft} />
    </>
  )
}

interface FieldsProps {
  draft: Json
  check: Check
  disabled: boolean
  onChange: (draft: Json) => void
}

function Fields({ draft, check, disabled, onChange }: FieldsProps) {
  const { draft: words } = useConsoleStrings()
  if (!isObject(draft)) return null
  return Object.entries(draft).map(([key, value]) => (
    <JsonForm
      key={key}
      value={value}
      path={key}
      label={labelOf(words.fields, key)}
      mistakes={check.mistakes}
      samples={SAMPLES}
      disabled={disabled}
      onChange={(next) => onChange({ ...draft, [key]: next })}
    />
  ))
}

interface DraftCheckProps {
  section: Section
  state: ReturnType<typeof useDraft>
}

/** The server's check of the draft, and the button that proposes it. */
export function DraftCheck({ section, state }: DraftCheckProps) {
  const strings = useConsoleStrings()
  const { installation: t } = strings
  const { ask, dialog } = useAct()
  const name: SectionName = section.section
  const { draft, setDraft, touched, check, error, retry, ready } = state
  const changed = ready && check.changes.length > 0
  return (
    <div className={layout.page}>
      {error !== null && <ErrorNotice error={error} text={t.failed} onRetry={retry} />}
      {touched && (
        <div role="status" className={layout.page}>
          {check.mistakes.length > 0 ? (
            <Mistakes mistakes={check.mistakes} />
          ) : (
            ready && <Changes changes={check.changes} />
          )}
        </div>
      )}
      <div className={layout.acts}>
        <Button
          disabled={!changed}
          onClick={() =>
            ask(
              propose(name, draft, check.changes.length, strings, () =>
                setDraft(section.body as Json),
              ),
            )
          }
        >
          {t.propose.confirm}
        </Button>
        <Button
          variant="default"
          disabled={!touched}
          onClick={() => setDraft(section.body as Json)}
        >
          {t.discard}
        </Button>
      </div>
      {dialog}
    </div>
  )
}
