import { Button } from '@mantine/core'
import { forgetUnanswered, isUnanswered } from '@/lib/api/submit.ts'
import { useStrings } from '@/lib/strings/index.ts'
import type { CheckedForm } from './form.ts'
import styles from './MoneyForm.module.css'

/** The notice that a form shows a restored draft, with a button that empties it. */
export function Restored<Values>({ form }: { form: CheckedForm<Values> }) {
  const { drafts: t } = useStrings()
  if (!form.restored) return null
  const discard = () => {
    forgetUnanswered(form.getValues())
    form.drop()
    form.reset()
  }
  return (
    <div role="status" className={styles.restored}>
      <p>{isUnanswered(form.getValues()) ? t.unanswered : t.restored}</p>
      <Button variant="default" size="compact-sm" onClick={discard}>
        {t.discard}
      </Button>
    </div>
  )
}
