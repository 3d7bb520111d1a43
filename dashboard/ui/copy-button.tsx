import { useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'

export function CopyButton({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation()
  const [status, setStatus] = useState<'copy' | 'copied' | 'failed'>('copy')
  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setStatus('copied')
    } catch {
      setStatus('failed')
    }
    setTimeout(() => setStatus('copy'), 1500)
  }
  return (
    <button type="button" className="copy" onClick={copy}>
      <Trans
        t={t}
        i18nKey={`copy.${status}`}
        values={{ label }}
        components={{ label: <span className="visually-hidden" /> }}
      />
    </button>
  )
}

/** A text to copy, such as a secret. */
export function CopyableText({ text, label, testId }: { text: string; label: string; testId?: string }) {
  return (
    <div className="secret">
      <code data-testid={testId}>{text}</code>
      <CopyButton text={text} label={label} />
    </div>
  )
}
