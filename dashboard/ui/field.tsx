import { type ComponentProps, type ReactNode, useId } from 'react'
import { useFilters } from '../search-params.ts'

export function Field({
  label,
  hint,
  error,
  children,
}: {
  label: string
  hint?: string | undefined
  error?: string | undefined
  children: (props: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean }) => ReactNode
}) {
  const id = useId()
  const hintId = `${id}-hint`
  const below = error ?? hint
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': below ? hintId : undefined, 'aria-invalid': error !== undefined })}
      {below ? (
        <p id={hintId} className={error ? 'field-error' : 'hint'}>
          {below}
        </p>
      ) : null}
    </div>
  )
}

type TextFieldProps = Omit<ComponentProps<'input'>, 'id' | 'onChange' | 'value'> & {
  label: string
  hint?: string | undefined
  error?: string | undefined
  value: string
  onValueChange: (text: string) => void
}

export function TextField({ label, hint, error, onValueChange, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(props) => <input {...input} {...props} onChange={(event) => onValueChange(event.target.value)} />}
    </Field>
  )
}

export const PasswordField = (props: TextFieldProps) => (
  <TextField type="password" autoComplete="current-password" required {...props} />
)

export const EmailField = (props: TextFieldProps) => <TextField type="email" required {...props} />

/** Search box with a label for screen readers only; `children` follow the input. */
export const SearchField = ({
  label,
  className,
  onValueChange,
  children,
  ...input
}: Omit<TextFieldProps, 'hint' | 'error'>) => (
  <label className={className}>
    <span className="visually-hidden">{label}</span>
    <input type="search" {...input} onChange={(event) => onValueChange(event.target.value)} />
    {children}
  </label>
)

type TextNames<Form> = { [Name in keyof Form]: Form[Name] extends string ? Name : never }[keyof Form]

/** Value and change handler of a text field for each property of an object: `{...bind('name')}`. */
export const bindFields =
  <Form extends object>(form: Form, change: (form: Form) => void) =>
  <Name extends TextNames<Form>>(name: Name) => ({
    value: form[name] as string,
    onValueChange: (text: string) => change({ ...form, [name]: text }),
  })

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

/** Select whose value is a query parameter of the page. A choice leads back to the first page of a list. */
export function FilterSelect({
  param,
  value,
  label,
  all,
  options,
}: {
  param: string
  /** The parameter itself by default. */
  value?: string
  label?: string
  /** Text of the choice without a filter, if there is one. */
  all?: string
  options: SelectProps<string>['options']
}) {
  const [query, change] = useFilters()
  return (
    <Select
      aria-label={label}
      value={value ?? query.get(param) ?? ''}
      options={all === undefined ? options : [['', all], ...options]}
      onValueChange={(chosen) => change({ [param]: chosen, page: '', after: '' }, { replace: true })}
    />
  )
}

type ChoiceProps = Omit<ComponentProps<'input'>, 'title'> & { title: ReactNode; hint: ReactNode }

/** Radio button or checkbox with a description. */
export const Choice = ({ title, hint, ...input }: ChoiceProps) => (
  <label className="choice">
    <input {...input} />
    <span>
      {typeof title === 'string' ? <strong>{title}</strong> : title}
      <span className="muted">{hint}</span>
    </span>
  </label>
)

/** The list without the item if it has it, otherwise with it. */
export const toggle = <T,>(list: readonly T[], item: T): T[] =>
  list.includes(item) ? list.filter((other) => other !== item) : [...list, item]

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
