import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { buttonClass } from '@/components/button.ts'
import { Copy } from '@/components/Copy.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { Leaves } from '@/components/Leaves.tsx'
import { StatusPage } from '@/components/StatusPage.tsx'
import { Refusal } from '@/lib/api/answer.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { useStrings } from '@/lib/strings/index.ts'
import type { LoginState } from './access.ts'
import { welcomeOptions } from './queries.ts'
import styles from './WelcomePage.module.css'

type Person = components['schemas']['WelcomeRow']

/**
 * The welcome letter of a new member. Other visitors see initials: the server knows who registered.
 */
export function Component() {
  const { welcome: t } = useStrings()
  const [query] = useSearchParams()
  const uid = query.get('userid') ?? ''
  const { data, error, refetch } = useQuery({ ...welcomeOptions(uid), enabled: uid !== '' })
  const isMissing = uid === '' || data?.length === 0 || (error instanceof Refusal && !data)
  if (isMissing) return <NoLetter />
  return (
    <article className={styles.letter}>
      <Leaves size={56} />
      <h1 className={styles.heading}>{t.heading}</h1>
      {error && <ErrorNotice error={error} text={t.failed} onRetry={() => void refetch()} />}
      {!error && (data?.[0] ? <Letter person={data[0]} /> : <Waiting />)}
      <Link
        to="/Login"
        state={{ userId: uid } satisfies LoginState}
        className={buttonClass('primary')}
      >
        {t.login}
      </Link>
    </article>
  )
}

function Letter({ person }: { person: Person }) {
  const { welcome: t, brand, filters } = useStrings()
  const whole = person.email !== ''
  const sides: Record<string, string> = { Left: filters.left, Right: filters.right }
  const lines: [name: string, value: string][] = [
    [t.name, person.f_name],
    [t.userId, person.uid],
    [t.email, person.email],
    [t.mobile, person.mobile],
    [t.position, sides[person.position] ?? ''],
  ]
  return (
    <>
      <p>
        {t.dear} <bdi className={styles.name}>{person.f_name}</bdi>,
      </p>
      <p>{t.text({ brand: brand.name })}</p>
      <div className={styles.id}>
        <p>{t.idLabel}</p>
        <p className={styles.figure}>{person.uid}</p>
        <Copy text={person.uid} copied={t.copied} label={t.userId} />
      </div>
      <dl className={styles.facts}>
        {lines
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <div key={name} className={styles.fact}>
              <dt>{name}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
      </dl>
      {whole && (
        <>
          <h2 className={styles.stepsHeading}>{t.stepsHeading}</h2>
          <ol className={styles.steps}>
            {Object.values(t.steps).map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </>
      )}
      <p className={styles.note}>{whole ? t.next : t.stranger}</p>
    </>
  )
}

function Waiting() {
  const { shell } = useStrings()
  return (
    <div role="status" aria-label={shell.loading} className={styles.waiting}>
      <Skeleton height={20} />
      <Skeleton height={20} />
      <Skeleton height={180} />
    </div>
  )
}

function NoLetter() {
  const { welcome: t } = useStrings()
  return (
    <StatusPage
      heading={t.nobodyHeading}
      text={t.nobodyText}
      actions={
        <>
          <Link to="/Signup" className={buttonClass('primary')}>
            {t.signup}
          </Link>
          <Link to="/Login" className={buttonClass('quiet')}>
            {t.login}
          </Link>
        </>
      }
    />
  )
}
