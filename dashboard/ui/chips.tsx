import type { ReactNode } from 'react'

/** Choices side by side, each pressed or not. */
export function Chips<Value extends string>({
  legend,
  isLegendHidden = false,
  options,
  isPressed,
  press,
  isSmall = false,
  children,
}: {
  legend: string
  isLegendHidden?: boolean
  options: readonly { readonly value: Value; readonly text: ReactNode }[]
  isPressed: (value: Value) => boolean
  press: (value: Value) => void
  isSmall?: boolean
  /** Shown after the choices. */
  children?: ReactNode
}) {
  return (
    <fieldset className="chips">
      <legend className={isLegendHidden ? 'visually-hidden' : undefined}>{legend}</legend>
      {options.map(({ value, text }) => (
        <button
          key={value}
          type="button"
          className={isSmall ? 'chip chip-small' : 'chip'}
          aria-pressed={isPressed(value)}
          onClick={() => press(value)}
        >
          {text}
        </button>
      ))}
      {children}
    </fieldset>
  )
}
