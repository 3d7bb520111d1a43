import type { ButtonHTMLAttributes, ReactNode } from 'react'

export type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly variant?: 'primary' | 'plain' | 'danger' | 'link'
  readonly isBusy?: boolean
}

/** Link with the look of a button that saves a file. */
export const DownloadLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <a className="button button-plain" href={href} download>
    {children}
  </a>
)

export function Button({ variant = 'plain', isBusy = false, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`button button-${variant}`}
      disabled={isBusy || rest.disabled}
      aria-busy={isBusy}
    >
      {children}
    </button>
  )
}
