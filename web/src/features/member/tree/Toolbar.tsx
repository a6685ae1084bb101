import { Button } from '@mantine/core'
import { ArrowLeft, House, Search } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { Digits } from '@/components/form/Digits.tsx'
import { errorText } from '@/lib/api/answer.ts'
import { useIdLengths } from '@/lib/queries/limits.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import { toast } from '@/lib/toast.ts'
import { signupLink } from './places.ts'
import { type Status, statusIcons } from './status.ts'
import styles from './Tree.module.css'

interface ToolbarProps {
  /** Resolves to false if nobody was found. */
  onSearch: (id: string) => Promise<boolean>
  /** One level up; undefined at the top. */
  onBack: (() => void) | undefined
}

export function Toolbar({ onSearch, onBack }: ToolbarProps) {
  const { tree: t, actions } = useMemberStrings()
  const [id, setId] = useState('')
  const { treeSearch } = useIdLengths()
  const [busy, setBusy] = useState(false)
  const search = async (event: FormEvent) => {
    event.preventDefault()
    if (id === '' || busy) return
    setBusy(true)
    try {
      if (!(await onSearch(id))) toast.error(t.notFound)
    } catch (error) {
      toast.error(errorText(error, t.failed))
    }
    setBusy(false)
  }
  return (
    <div className={styles.toolbar}>
      <search>
        <form className={styles.search} onSubmit={(event) => void search(event)}>
          <Digits
            aria-label={t.search}
            placeholder={t.search}
            most={treeSearch}
            value={id}
            onChange={setId}
          />
          <Button
            type="submit"
            disabled={busy}
            leftSection={<Search size={16} aria-hidden="true" />}
          >
            {busy ? actions.processing : actions.submit}
          </Button>
        </form>
      </search>
      <Button
        component={Link}
        to="/DashBoard"
        variant="default"
        leftSection={<House size={16} aria-hidden="true" />}
      >
        {t.home}
      </Button>
      <Button
        variant="default"
        disabled={!onBack}
        onClick={onBack}
        leftSection={<ArrowLeft size={16} aria-hidden="true" />}
      >
        {t.back}
      </Button>
    </div>
  )
}

const LEGEND: readonly Status[] = ['active', 'inactive', 'cooling', 'free']

/** The legend of the colours, and the sign-up links of both legs. */
export function Legend({ userId }: { userId: string }) {
  const { tree: t } = useMemberStrings()
  return (
    <div className={styles.legend}>
      <ul aria-label={t.legend}>
        {LEGEND.map((status) => {
          const Icon = statusIcons[status]
          return (
            <li key={status} data-status={status}>
              <span className={styles.swatch}>
                <Icon size={14} aria-hidden="true" />
              </span>
              {t.statuses[status]}
            </li>
          )
        })}
      </ul>
      <p className={styles.links}>
        <Link to={signupLink(userId, 'Left')}>{t.leftLink}</Link>
        <Link to={signupLink(userId, 'Right')}>{t.rightLink}</Link>
      </p>
    </div>
  )
}
