import { useState } from 'react'

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [status, setStatus] = useState('')
  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setStatus('Copied')
    } catch {
      setStatus('Copy failed')
    }
    setTimeout(() => setStatus(''), 1500)
  }
  return (
    <button type="button" className="copy" onClick={copy}>
      {status || 'Copy'}
      <span className="visually-hidden"> {label}</span>
    </button>
  )
}
