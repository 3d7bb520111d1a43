/** An e-mail address, or a name; an address that is too long for its line continues with the "@" on the next. */
export function EmailText({ children }: { children: string }) {
  const at = children.indexOf('@')
  if (at < 0) return children
  return (
    <span className="breakable">
      {children.slice(0, at)}
      <wbr />
      {children.slice(at)}
    </span>
  )
}
