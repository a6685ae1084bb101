import { NativeSelect, Skeleton, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Card } from '@/components/Card.tsx'
import { JsonForm } from '@/components/console/draft/JsonForm.tsx'
import {
  at,
  isObject,
  type Json,
  type Mistake,
  parseJson,
  withAt,
} from '@/components/console/draft/tree.ts'
import layout from '@/components/console/layout.module.css'
import { DraftCheck, SAMPLES } from '@/components/console/settings/Editor.tsx'
import { History } from '@/components/console/settings/History.tsx'
import { PendingProposal } from '@/components/console/settings/PendingProposal.tsx'
import { useDraft } from '@/components/console/settings/useDraft.ts'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { PageHeader } from '@/components/PageHeader.tsx'
import { type Overview, sectionOf, settingsOptions } from '@/lib/operator/queries/settings.ts'
import { useMay } from '@/lib/operator/rights.ts'
import { useRouteTitle } from '@/lib/route.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import styles from './Brand.module.css'
import { Preview } from './Preview.tsx'
import { PARTS, type Part } from './parts.ts'

/** The editor of the brand: part by part with a preview, or the whole document as JSON. */
export function Component() {
  const { installation: t } = useConsoleStrings()
  const { data, error, refetch } = useQuery(settingsOptions)
  const section = data && sectionOf(data, 'content')
  return (
    <>
      <PageHeader title={useRouteTitle()} />
      {error && <ErrorNotice error={error} text={t.failed} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={320} />}
      {section && <BrandEditor key={`${section.version} ${section.waiting?.id}`} overview={data} />}
    </>
  )
}

function BrandEditor({ overview }: { overview: Overview }) {
  const section = sectionOf(overview, 'content')
  const { installation: t } = useConsoleStrings()
  const may = useMay()('compliance')
  const [part, setPart] = useState<Part>('risk')
  const state = useDraft('content', (section?.body ?? null) as Json)
  if (!section) return null
  const frozen = !may || section.waiting !== undefined
  return (
    <div className={layout.page}>
      {section.waiting && <PendingProposal id={section.waiting.id} section="content" />}
      <Card title={t.sections.content}>
        <div className={layout.page}>
          <p className={layout.muted}>{t.hints.content}</p>
          <NativeSelect
            label={t.part}
            data={PARTS.map(({ name }) => ({ value: name, label: t.parts[name] }))}
            value={part}
            onChange={(event) => setPart(event.currentTarget.value as Part)}
          />
          <PartForm
            key={part}
            part={part}
            draft={state.draft}
            mistakes={state.check.mistakes}
            disabled={frozen}
            onChange={state.setDraft}
          />
          {!frozen && <DraftCheck section={section} state={state} />}
        </div>
      </Card>
      <Preview part={part} draft={state.draft} body={section.body as Json} live={overview.live} />
      <History section="content" onRestore={frozen ? undefined : state.setDraft} />
    </div>
  )
}

interface PartFormProps {
  part: Part
  draft: Json
  mistakes: readonly Mistake[]
  disabled: boolean
  onChange: (draft: Json) => void
}

function PartForm({ part, draft, mistakes, disabled, onChange }: PartFormProps) {
  const { installation: t, draft: words } = useConsoleStrings()
  const found = PARTS.find(({ name }) => name === part)
  if (!found || !isObject(draft)) return null
  if (found.paths.length === 0) {
    return <BrandJson draft={draft} disabled={disabled} onChange={onChange} />
  }
  return found.paths.map((path) => {
    const name = path.replace(/^site\./, '')
    return (
      <JsonForm
        key={path}
        value={at(draft, path) ?? ''}
        path={path}
        label={(words.fields as Record<string, string>)[name] ?? t.parts[part]}
        mistakes={mistakes}
        choices={CHOICES}
        samples={SAMPLES}
        disabled={disabled}
        onChange={(next) => onChange(withAt(draft, path, next))}
      />
    )
  })
}

/** The allowed values of some fields; the server checks them too. */
const CHOICES = {
  mode: ['fixed', 'live'],
  live: ['', 'business', 'members', 'active', 'years'],
  kind: ['line', 'bars'],
  network: ['facebook', 'instagram', 'linkedin', 'youtube', 'twitter', 'telegram', 'github'],
} as const

function BrandJson(props: { draft: Json; disabled: boolean; onChange: (draft: Json) => void }) {
  const { draft, disabled, onChange } = props
  const { installation: t, draft: words } = useConsoleStrings()
  // The text follows a draft that is discarded or restored; otherwise the draft follows the text.
  const [own, setOwn] = useState({ draft, text: JSON.stringify(draft, null, 2) })
  if (own.draft !== draft) setOwn({ draft, text: JSON.stringify(draft, null, 2) })
  return (
    <Textarea
      label={t.parts.all}
      rows={20}
      spellCheck={false}
      disabled={disabled}
      className={styles.code ?? ''}
      value={own.text}
      error={parseJson(own.text) ? undefined : words.noJson}
      onChange={(event) => {
        const text = event.currentTarget.value
        const next = parseJson(text)?.value ?? draft
        setOwn({ draft: next, text })
        onChange(next)
      }}
    />
  )
}
