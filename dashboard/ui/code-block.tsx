import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../session.tsx'
import { CopyButton } from './copy-button.tsx'

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|(-?\d[\d.eE+-]*)/g

/** Highlights JSON as text nodes, so that it can never become markup. */
function Json({ text }: { text: string }) {
  const parts: ReactNode[] = []
  let at = 0
  for (const match of text.matchAll(TOKEN)) {
    const [whole, string, colon, word] = match
    parts.push(text.slice(at, match.index))
    const kind = string && colon ? 'j-key' : string ? 'j-str' : word === 'null' ? 'j-nil' : 'j-num'
    parts.push(
      <span key={match.index} className={kind}>
        {string ?? whole}
      </span>,
    )
    if (colon) parts.push(colon)
    at = match.index + whole.length
  }
  parts.push(text.slice(at))
  return <code>{parts}</code>
}

const prettyJson = (text: string) => JSON.stringify(JSON.parse(text), null, 2)

/** The API call behind a page as curl, with its response. */
export function ApiCallPanel({
  path,
  body,
  response,
}: {
  path: string
  body?: unknown
  response?: string | undefined
}) {
  const { t } = useTranslation()
  const session = useSession()
  const [shown, setShown] = useState<'curl' | 'json'>('curl')
  const lines = [`curl '${session.base_url}${path}'`, `-H "Authorization: Bearer $API_KEY"`]
  if (body !== undefined) lines.push(`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body)}'`)
  const curl = lines.join(' \\\n  ')
  const json = response === undefined ? '' : prettyJson(response)
  return (
    <details className="call">
      <summary>{t('apiCall.title')}</summary>
      <figure className="code">
        <figcaption>
          <span className="tabs" role="tablist" aria-label={t('apiCall.format')}>
            <button type="button" role="tab" aria-selected={shown === 'curl'} onClick={() => setShown('curl')}>
              curl
            </button>
            {response === undefined ? null : (
              <button type="button" role="tab" aria-selected={shown === 'json'} onClick={() => setShown('json')}>
                JSON
              </button>
            )}
          </span>
          <CopyButton text={shown === 'curl' ? curl : json} label={shown} />
        </figcaption>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scroll areas must be reachable by keyboard */}
        <pre tabIndex={0}>{shown === 'curl' ? <code>{curl}</code> : <Json text={json} />}</pre>
      </figure>
    </details>
  )
}

export function CodeBlock({ label, code }: { label: string; code: string }) {
  return (
    <figure className="code">
      <figcaption>
        <span>{label}</span>
        <CopyButton text={code} label={label} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scroll areas must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
    </figure>
  )
}
