import { FileInput, Loader } from '@mantine/core'
import { useState } from 'react'
import { errorText } from '@/lib/api/answer.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import styles from './FileField.module.css'

interface FileFieldProps {
  label: string
  /** Uploads the file and resolves to the text that stands for it. */
  upload: (file: File) => Promise<string>
  /** The text that stands for the uploaded file; empty without one. */
  value: string
  error: string | undefined
  required: boolean
  onChange: (value: string) => void
}

const MOST = 10 * 1024 * 1024

/**
 * A file that is uploaded as soon as it is chosen; the form's value is the text that stands for it.
 */
export function FileField({ label, upload, value, error, required, onChange }: FileFieldProps) {
  const { trading: t } = useConsoleStrings()
  const [file, setFile] = useState<File | null>(null)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState('')

  const choose = async (chosen: File | null) => {
    setFile(chosen)
    setRefusal('')
    onChange('')
    if (!chosen) return
    if (chosen.size > MOST) {
      setRefusal(t.fileTooLarge)
      return
    }
    setBusy(true)
    try {
      onChange(await upload(chosen))
    } catch (cause) {
      setRefusal(errorText(cause, t.fileFailed))
    } finally {
      setBusy(false)
    }
  }
  return (
    <FileInput
      label={label}
      description={value ? `SHA-256 ${value}` : t.fileHint}
      placeholder={t.fileChoose}
      value={file}
      error={refusal || error}
      required={required}
      clearable
      classNames={{ description: styles.hash ?? '' }}
      clearButtonProps={{ 'aria-label': t.fileClear }}
      rightSection={busy ? <Loader size={16} /> : undefined}
      onChange={(chosen) => void choose(chosen)}
    />
  )
}
