import type { ButtonHTMLAttributes } from 'react'

export type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly variant?: 'primary' | 'plain' | 'danger' | 'link'
  readonly isBusy?: boolean
}

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
