import { Loader } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { buttonClass } from '@/components/button.ts'
import { StatusPage } from '@/components/StatusPage.tsx'
import { answerOf, errorText } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import { queryClient } from '@/lib/api/query.ts'
import { forgetAllDrafts } from '@/lib/drafts.ts'
import { useFragment } from '@/lib/fragment.ts'
import { type Strings, useStrings } from '@/lib/strings/index.ts'
import { serverText } from '@/lib/strings/serverText.ts'
import { toast } from '@/lib/toast.ts'
import { enter, isGranted } from './access.ts'
import { lookUpAddress } from './queries.ts'

/** Redeems the ticket. Resolves to the error; undefined after a success. */
async function visit(uid: string, enpass: string, t: Strings['adminLogin']): Promise<string> {
  if (uid === '' || enpass === '') return t.incomplete
  const ipaddress = await lookUpAddress().catch(() => null)
  if (ipaddress === null) return t.noAddress
  try {
    const body = { uid, password: enpass, ipaddress }
    const answer = await answerOf(api.POST('/api/loginAdmin', { body }))
    if (!isGranted(answer)) return serverText(answer.data.result, answer.data)
    // A member may have been signed in here before: cache and drafts must not be mixed with the
    // visit.
    queryClient.clear()
    forgetAllDrafts()
    enter(answer, ipaddress)
    return ''
  } catch (error) {
    return errorText(error, t.failed)
  }
}

/** The target of an operator's one-time link, which signs the tab in without a press. */
export function Component() {
  const { adminLogin: t } = useStrings()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const link = useFragment()
  const [problem, setProblem] = useState('')
  const started = useRef(false)

  useEffect(() => {
    // The ticket works once.
    if (started.current) return
    started.current = true
    // The console's links have the ticket after the #; older ones have it in the query.
    const ticket = link.has('enpass') ? link : query
    const uid = ticket.get('user_id') ?? ''
    // URLSearchParams turns every plus into a space.
    const enpass = (ticket.get('enpass') ?? '').replaceAll(' ', '+')
    void visit(uid, enpass, t).then((wrong) => {
      if (wrong !== '') {
        toast.error(wrong)
        setProblem(wrong)
        return
      }
      toast.success(t.success)
      void navigate('/dashboard', { replace: true })
    })
  }, [query, link, navigate, t])

  return (
    <StatusPage
      heading={problem === '' ? t.heading : t.problemHeading}
      text={problem === '' ? t.text : `${problem} ${t.problemText}`}
      actions={
        <Link to="/" className={buttonClass('quiet')}>
          {t.home}
        </Link>
      }
    >
      {problem === '' && <Loader aria-label={t.heading} role="status" />}
    </StatusPage>
  )
}
