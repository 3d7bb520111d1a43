import { useId } from 'react'

/** Radio buttons styled as one control. */
export function SegmentedControl<T extends string>({
  label,
  options,
  chosen,
  choose,
}: {
  label: string
  options: readonly (T | { readonly value: T; readonly text: string })[]
  chosen: T
  choose: (value: T) => void
}) {
  const name = useId()
  return (
    <fieldset className="segments">
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => {
        const { value, text } = typeof option === 'string' ? { value: option, text: option } : option
        return (
          <label key={value} className="segment">
            <input type="radio" name={name} checked={value === chosen} onChange={() => choose(value)} />
            <span>{text}</span>
          </label>
        )
      })}
    </fieldset>
  )
}
