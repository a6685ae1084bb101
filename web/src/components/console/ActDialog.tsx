import { Alert, Button, Group, Input, NativeSelect, Textarea, TextInput } from '@mantine/core'
import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useState,
} from 'react'
import { errorText, Refusal } from '@/lib/api/answer.ts'
import { useSubmit } from '@/lib/api/submit.ts'
import { refreshConsole } from '@/lib/operator/queries/me.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import { toast } from '@/lib/toast.ts'
import { Facts } from '../Facts.tsx'
import { PasswordField } from '../form/PasswordField.tsx'
import { SendingModal } from '../SendingModal.tsx'
import styles from './ActDialog.module.css'
import { FileField } from './FileField.tsx'
import { type Template, Templates } from './Templates.tsx'

export interface ActField {
  name: string
  label: string
  /** A file without `upload` is read as text. */
  kind?: 'text' | 'password' | 'area' | 'date' | 'select' | 'file'
  /** The options of a select; a function if they depend on other fields. */
  options?: Options | ((values: Values) => Options)
  /** Whether the field is shown; by default always. */
  when?: (values: Values) => boolean
  initial?: string
  optional?: boolean
  /** Templates for an area. */
  templates?: readonly Template[]
  /** An area whose text stays on one line. */
  oneLine?: boolean
  /** Uploads a file and resolves to the text that stands for it, such as its hash. */
  upload?: (file: File) => Promise<string>
  /** The greatest length in characters; 200 by default. */
  most?: number
}

type Values = Record<string, string>
type Options = readonly { value: string; label: string }[]

/** An act of an operator, as data: its dialog and its call. */
export interface Act {
  title: string
  text?: string
  facts?: readonly (readonly [name: string, value: ReactNode])[]
  fields?: readonly ActField[]
  /** The consequences of the values so far, as facts. */
  preview?: (values: Values) => NonNullable<Act['facts']>
  /** The text of the button. */
  confirm: string
  /** The text of the button that closes the dialog; "Cancel" by default. */
  dismiss?: string
  call: (values: Values, key: string) => Promise<unknown>
  /** The toast's text afterwards. */
  done: string
  onDone?: (answer: unknown) => void
  /** Shown while a slow call is in flight. */
  progress?: ReactNode
}

/**
 * Every act of an operator goes through this dialog: the facts, the reason, the confirmation, the
 * toast.
 */
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
  withValidOptions(
    fields,
    Object.fromEntries(fields.map(({ name, initial }) => [name, initial ?? ''])),
  )

/**
 * Selects the first option where the options have changed and no longer contain the selected one.
 */
function withValidOptions(fields: readonly ActField[], before: Values): Values {
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

/**
 * Ctrl+Enter or Cmd+Enter confirms from any text; a short text is confirmed by Enter alone, and
 * Shift+Enter breaks its line.
 */
export const confirmOnEnter = (event: KeyboardEvent<HTMLFormElement>) => {
  const { target } = event
  if (event.key !== 'Enter' || event.nativeEvent.isComposing || event.shiftKey) return
  if (!(target instanceof HTMLTextAreaElement)) return
  if (!event.ctrlKey && !event.metaKey && target.rows > 3) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}

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
      toast.success(act.done)
      onClose()
      await refreshConsole()
      act.onDone?.(answer)
    } catch (error) {
      setRefusal(errorText(error, moneyForm.failed))
      if (!(error instanceof Refusal)) return
      setErrors(error.fields)
      // Another operator was faster: the page behind the dialog is read again.
      if (error.status === CONFLICT) void refreshConsole()
    }
  }
  return (
    <form
      onSubmit={(event) => void send(event)}
      onKeyDown={confirmOnEnter}
      noValidate
      className={styles.form}
    >
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
          onChange={(value) => setValues(withValidOptions(all, { ...values, [field.name]: value }))}
        />
      ))}
      {act.preview && <Facts facts={act.preview(values)} />}
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

/** The refusal, with the errors that belong to no field, such as a line of a file. */
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
