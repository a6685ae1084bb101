import { Alert, Button, Group, Input, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { Refusal, wordsOf } from '@/lib/api/answer.ts'
import { useSubmit } from '@/lib/api/submit.ts'
import { refreshConsole } from '@/lib/operator/me.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import { say } from '@/lib/toast.ts'
import styles from './ActDialog.module.css'
import { Facts } from './Facts.tsx'
import { FileField } from './FileField.tsx'
import { PasswordField } from './form/PasswordField.tsx'
import { type Template, Templates } from './form/Templates.tsx'
import { SendingModal } from './SendingModal.tsx'

export interface ActField {
  name: string
  label: string
  /** A file is read as text, unless it is uploaded. */
  kind?: 'text' | 'password' | 'area' | 'date' | 'select' | 'file'
  /** Of a select; where they follow from what else was chosen, a function. */
  options?: Options | ((values: Values) => Options)
  /** When it is asked for; always, unless given. */
  when?: (values: Values) => boolean
  initial?: string
  optional?: boolean
  /** Texts that can be put into an area. */
  templates?: readonly Template[]
  /** Of an area: what is written stays on one line. */
  oneLine?: boolean
  /** Of a file: sends it and answers what stands for it. */
  upload?: (file: File) => Promise<string>
  /** How many characters fit; 200 unless given. */
  most?: number
}

type Values = Record<string, string>
type Options = readonly { value: string; label: string }[]

/** Something an operator is about to do, as data: what it is, what it asks for, what it calls. */
export interface Act {
  title: string
  text?: string
  facts?: readonly (readonly [name: string, value: ReactNode])[]
  fields?: readonly ActField[]
  /** What would follow from what is filled in so far. */
  follows?: (values: Values) => NonNullable<Act['facts']>
  /** What the button says. */
  confirm: string
  /** What the button that closes it says; "Cancel" unless given. */
  dismiss?: string
  call: (values: Values, key: string) => Promise<unknown>
  /** What the toast says afterwards. */
  done: string
  onDone?: (answer: unknown) => void
  /** Shown while it is being done, if that takes a while. */
  progress?: ReactNode
}

/** The one way in which operators do things: see what will happen, say why, confirm, be told. */
export function useAct() {
  const [act, setAct] = useState<Act | null>(null)
  const [busy, setBusy] = useState(false)
  const close = () => setAct(null)
  const dialog = (
    <SendingModal held={busy} opened={act !== null} onClose={close} title={act?.title}>
      {act && <ActForm act={act} onClose={close} onBusy={setBusy} />}
    </SendingModal>
  )
  return { ask: setAct, asking: act !== null, dialog }
}

const optionsOf = ({ options = [] }: ActField, values: Values): Options =>
  typeof options === 'function' ? options(values) : options

const initialOf = (fields: readonly ActField[]): Values =>
  settled(fields, Object.fromEntries(fields.map(({ name, initial }) => [name, initial ?? ''])))

/** A select whose options changed has the first of them, unless the chosen one is left. */
function settled(fields: readonly ActField[], before: Values): Values {
  const values = { ...before }
  for (const field of fields) {
    const options = optionsOf(field, values)
    if (options.length > 0 && options.every(({ value }) => value !== values[field.name])) {
      values[field.name] = options[0]?.value ?? ''
    }
  }
  return values
}

const CONFLICT = 409

interface ActFormProps {
  act: Act
  onClose: () => void
  onBusy: (busy: boolean) => void
}

function ActForm({ act, onClose, onBusy }: ActFormProps) {
  const { actions, moneyForm, console: t } = useConsoleStrings()
  const { fields: all = [] } = act
  const [values, setValues] = useState(() => initialOf(all))
  const fields = all.filter(({ when }) => when?.(values) ?? true)
  const [errors, setErrors] = useState<Values>({})
  const [refusal, setRefusal] = useState('')
  const { busy, submit } = useSubmit(act.call)
  useEffect(() => onBusy(busy), [busy, onBusy])

  const send = async (event: FormEvent) => {
    event.preventDefault()
    const missing = fields.filter((f) => !f.optional && values[f.name]?.trim() === '')
    setErrors(Object.fromEntries(missing.map(({ name }) => [name, t.act.required])))
    if (missing.length > 0) return
    setRefusal('')
    try {
      const answer = await submit(values)
      say.success(act.done)
      onClose()
      await refreshConsole()
      act.onDone?.(answer)
    } catch (error) {
      setRefusal(wordsOf(error, moneyForm.failed))
      if (!(error instanceof Refusal)) return
      setErrors(error.fields)
      // Somebody else was faster: behind the dialog stands what is true now.
      if (error.status === CONFLICT) void refreshConsole()
    }
  }
  return (
    <form onSubmit={(event) => void send(event)} noValidate className={styles.form}>
      {act.text && <p>{act.text}</p>}
      {act.facts && <Facts facts={act.facts} />}
      {fields.map((field, index) => (
        <Field
          key={field.name}
          field={field}
          first={index === 0}
          value={values[field.name] ?? ''}
          error={errors[field.name]}
          options={optionsOf(field, values)}
          onChange={(value) => setValues(settled(all, { ...values, [field.name]: value }))}
        />
      ))}
      {act.follows && <Facts facts={act.follows(values)} />}
      {busy && act.progress}
      {refusal && <Refused text={refusal} errors={errors} fields={fields} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} disabled={busy}>
          {act.dismiss ?? actions.cancel}
        </Button>
        <Button type="submit" disabled={busy} data-autofocus={fields.length === 0 || undefined}>
          {busy ? actions.processing : act.confirm}
        </Button>
      </Group>
    </form>
  )
}

interface RefusedProps {
  text: string
  errors: Values
  fields: readonly ActField[]
}

/** Why it was refused, with what stands at no field: a line of a file, for one. */
function Refused({ text, errors, fields }: RefusedProps) {
  const others = Object.entries(errors).filter(([name]) => fields.every((f) => f.name !== name))
  return (
    <Alert variant="default" role="alert" title={text} className={styles.refusal ?? ''}>
      {others.map(([name, wrong]) => (
        <p key={name}>
          {name}: {wrong}
        </p>
      ))}
    </Alert>
  )
}

interface FieldProps {
  field: ActField
  first: boolean
  value: string
  error: string | undefined
  options: Options
  onChange: (value: string) => void
}

function Field({ field, first, value, error, options, onChange }: FieldProps) {
  const { kind = 'text', label, most = 200, templates = [], optional, oneLine } = field
  const common = {
    label,
    value,
    error,
    required: !optional,
    'data-autofocus': first || undefined,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  }
  if (kind === 'file' && field.upload) {
    const { upload } = field
    return (
      <FileField
        label={label}
        upload={upload}
        value={value}
        error={error}
        required={!optional}
        onChange={onChange}
      />
    )
  }
  if (kind === 'password') {
    return <PasswordField {...common} maxLength={most} autoComplete="current-password" />
  }
  if (kind === 'select') return <NativeSelect {...common} data={[...options]} />
  if (kind === 'file') return <TextFile {...common} onText={onChange} />
  if (kind === 'area') {
    return (
      <>
        {templates.length > 0 && (
          <Templates
            templates={templates}
            value={value}
            between={oneLine ? ' ' : '\n\n'}
            onChange={onChange}
          />
        )}
        <Textarea {...common} rows={templates.length > 0 && !oneLine ? 8 : 3} maxLength={most} />
      </>
    )
  }
  return <TextInput {...common} type={kind === 'date' ? 'date' : 'text'} maxLength={most} />
}

interface TextFileProps {
  label: string
  error: string | undefined
  required: boolean
  onText: (text: string) => void
}

function TextFile({ label, error, required, onText }: TextFileProps) {
  const id = useId()
  return (
    <Input.Wrapper id={id} label={label} error={error} required={required}>
      <input
        id={id}
        type="file"
        accept=".csv,text/csv"
        className={styles.file}
        onChange={({ currentTarget: { files } }) => void files?.[0]?.text().then(onText)}
      />
    </Input.Wrapper>
  )
}
