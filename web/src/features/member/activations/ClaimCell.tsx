import { Button } from '@mantine/core'
import { useId, useState } from 'react'
import { ConfirmDialog } from '@/components/ConfirmDialog.tsx'
import { answerOf, errorText } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { underKey, useSubmit } from '@/lib/api/submit.ts'
import { formatMoney } from '@/lib/money.ts'
import { refreshAll } from '@/lib/queries/dashboard.ts'
import { useSession } from '@/lib/session.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import { serverText } from '@/lib/strings/serverText.ts'
import { toast } from '@/lib/toast.ts'
import styles from './Activation.module.css'

export type Claim = components['schemas']['ReportRow']

/** The code of a successful claim. */
const DONE = 'result.claimed'

/** The button of an open claim; the state of any other. */
export function ClaimCell({ claim }: { claim: Claim }) {
  const { claims: t } = useMemberStrings()
  if (claim.ss !== 'Pending') return t.already
  return claim.ready === false ? <Awaited /> : <ClaimButton claim={claim} />
}

/** A claim whose cash is not here yet: a press could only fail. */
function Awaited() {
  const { claims: t } = useMemberStrings()
  const why = useId()
  return (
    <span className={styles.awaited}>
      <Button size="compact-sm" variant="default" disabled aria-describedby={why}>
        {t.now}
      </Button>
      <span id={why} title={t.onItsWayText}>
        {t.onItsWay}
      </span>
    </span>
  )
}

function ClaimButton({ claim }: { claim: Claim }) {
  const { claims: t, moneyForm } = useMemberStrings()
  const { userId } = useSession()
  const [asks, setAsks] = useState(false)
  const { busy, submit } = useSubmit((body: components['schemas']['ClaimBody'], key) =>
    answerOf(api.POST('/api/Claiminvestment', { body, ...underKey(key) })),
  )
  const { id, uid, netamount = '0' } = claim

  const ask = () => {
    if (id && uid) setAsks(true)
    else toast.error(t.required)
  }
  const send = async () => {
    try {
      const answer = await submit({ referby: userId, user_id: uid ?? '', RowID: id ?? '' })
      if (!answer) return
      if (answer.code === DONE) {
        toast.success(t.done)
        await refreshAll()
      } else {
        toast.error(serverText(answer.data, answer))
      }
    } catch (error) {
      toast.error(errorText(error, moneyForm.failed))
    }
    setAsks(false)
  }

  return (
    <>
      <Button size="compact-sm" onClick={ask} disabled={busy}>
        {t.now}
      </Button>
      <ConfirmDialog
        opened={asks}
        title={t.sure}
        confirm={t.now}
        busy={busy}
        onConfirm={() => void send()}
        onClose={() => setAsks(false)}
      >
        <p>{t.effect({ net: formatMoney(netamount) })}</p>
      </ConfirmDialog>
    </>
  )
}
