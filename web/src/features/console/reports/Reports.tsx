import { Button, Tabs } from '@mantine/core'
import { Printer } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { PageHeader } from '@/components/PageHeader.tsx'
import { FilterBar } from '@/components/table/FilterBar.tsx'
import type { Filter } from '@/components/table/filters.ts'
import { useTableState } from '@/components/table/state.ts'
import { useRouteTitle } from '@/lib/route.ts'
import { type ConsoleStrings, useConsoleStrings } from '@/lib/strings/console.ts'
import { hasPeriod, KINDS, type Kind } from './figures.ts'
import { PRESETS, periodOf } from './periods.ts'
import styles from './Reports.module.css'
import { Sheet } from './Sheet.tsx'

const filtersOf = ({ reports: t, filters }: ConsoleStrings): Filter[] => [
  { kind: 'date', name: 'from', label: filters.fromDate },
  { kind: 'date', name: 'to', label: filters.toDate, since: 'from' },
  {
    kind: 'select',
    name: 'bucket',
    label: t.bucket,
    options: (['day', 'week', 'month'] as const).map((value) => ({
      value,
      label: t.buckets[value],
    })),
  },
]

/** The reports of the installation. The address names the report and its period. */
export function Component() {
  const strings = useConsoleStrings()
  const { reports: t } = strings
  const [params, setParams] = useSearchParams()
  const kind = KINDS.find((known) => known === params.get('kind')) ?? 'revenue'
  const filters = filtersOf(strings)
  const { state, setFilters } = useTableState(filters)
  const choose = (next: string | null) =>
    setParams(
      (old) => {
        const changed = new URLSearchParams(old)
        changed.set('kind', next ?? kind)
        return changed
      },
      { preventScrollReset: true },
    )
  return (
    <>
      <PageHeader
        title={useRouteTitle()}
        detail={t.kinds[kind]}
        actions={
          <Button
            variant="default"
            size="xs"
            leftSection={<Printer size={14} aria-hidden="true" />}
            onClick={() => window.print()}
          >
            {t.print}
          </Button>
        }
      />
      <Tabs value={kind} onChange={choose} keepMounted>
        <Tabs.List className={styles.tabs ?? ''} aria-label={t.label}>
          {KINDS.map((known) => (
            <Tabs.Tab key={known} value={known}>
              {t.kinds[known]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {KINDS.map((known) => (
          <Tabs.Panel key={known} value={known}>
            {known === kind && (
              <div className={styles.page}>
                <p className={styles.about}>{t.about[kind]}</p>
                {hasPeriod(kind) && (
                  <Period
                    kind={kind}
                    filters={filters}
                    values={state.filters}
                    onChange={setFilters}
                  />
                )}
                <Sheet kind={kind} asked={state.filters} />
              </div>
            )}
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  )
}

interface PeriodProps {
  kind: Kind
  filters: readonly Filter[]
  values: Record<string, string>
  onChange: (values: Record<string, string>) => void
}

/** Buttons for the usual periods, and inputs for any other. */
function Period({ kind, filters, values, onChange }: PeriodProps) {
  const { reports: t } = useConsoleStrings()
  // Cohorts are always months.
  const shown = kind === 'retention' ? filters.filter(({ kind: k }) => k === 'date') : filters
  return (
    <div className={styles.tools}>
      <fieldset className={styles.presets}>
        <legend>{t.presets}</legend>
        {PRESETS.map(({ name, days, bucket }) => {
          const period = periodOf(days)
          const chosen = values.from === period.from && values.to === period.to
          return (
            <Button
              key={name}
              size="compact-sm"
              variant={chosen ? 'filled' : 'default'}
              aria-pressed={chosen}
              onClick={() => onChange({ ...values, ...period, bucket })}
            >
              {t[name]}
            </Button>
          )
        })}
      </fieldset>
      <FilterBar filters={shown} values={values} onSearch={onChange} />
    </div>
  )
}
