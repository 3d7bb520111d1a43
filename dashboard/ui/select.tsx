import type { ComponentProps } from 'react'
import { Field } from './field.tsx'

type SelectProps<Value extends string> = Omit<ComponentProps<'select'>, 'children' | 'onChange' | 'value'> & {
  value: Value
  /** Values that are shown as they are, or values with their texts. */
  options: readonly (Value | readonly [value: Value, text: string])[]
  onValueChange: (value: Value) => void
}

export function Select<Value extends string>({ options, onValueChange, ...select }: SelectProps<Value>) {
  return (
    <select {...select} onChange={(event) => onValueChange(event.target.value as Value)}>
      {options.map((option) => {
        const [value, text] = typeof option === 'string' ? [option, option] : option
        return (
          <option key={value} value={value}>
            {text}
          </option>
        )
      })}
    </select>
  )
}

type SelectFieldProps<Value extends string> = SelectProps<Value> & {
  label: string
  hint?: string | undefined
  error?: string | undefined
}

export function SelectField<Value extends string>({ label, hint, error, ...select }: SelectFieldProps<Value>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(props) => <Select {...select} {...props} />}
    </Field>
  )
}
