import { CopyButton } from './copy-button.tsx'

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
