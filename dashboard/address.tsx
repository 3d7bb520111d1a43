import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from 'react'

/** Where the person is. Every state worth returning to is in the address. */
export type Address = { readonly path: string; readonly query: URLSearchParams; readonly hash: string }

const MOVED = 'di-moved'

function subscribe(react: () => void): () => void {
  window.addEventListener('popstate', react)
  window.addEventListener(MOVED, react)
  return () => {
    window.removeEventListener('popstate', react)
    window.removeEventListener(MOVED, react)
  }
}

export function useAddress(): Address {
  const href = useSyncExternalStore(subscribe, () => location.href)
  const { pathname, searchParams, hash } = new URL(href)
  return { path: pathname, query: searchParams, hash: hash.slice(1) }
}

export function go(to: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', to)
  else history.replaceState(null, '', to)
  window.dispatchEvent(new Event(MOVED))
  if (how === 'push') {
    window.scrollTo(0, 0)
    document.getElementById('content')?.focus({ preventScroll: true })
  }
}

/** The same address with some parameters changed; an empty value takes one away. */
export function withQuery(query: URLSearchParams, changed: Record<string, string>): string {
  const next = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changed)) {
    if (value) next.set(name, value)
    else next.delete(name)
  }
  const text = next.toString()
  return `${location.pathname}${text ? `?${text}` : ''}${location.hash}`
}

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { readonly to: string }

export function Link({ to, ...rest }: LinkProps) {
  function follow(event: MouseEvent) {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    go(to)
  }
  return <a {...rest} href={to} onClick={follow} />
}
