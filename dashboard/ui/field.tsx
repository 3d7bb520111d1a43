import { type ComponentProps, type ReactNode, useId } from 'react'

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

type TextNames<Form> = { [Name in keyof Form]: Form[Name] extends string ? Name : never }[keyof Form]

/** Value and change handler of a text field for each property of an object: `{...bind('name')}`. */
export const bindFields =
  <Form extends object>(form: Form, change: (form: Form) => void) =>
  <Name extends TextNames<Form>>(name: Name) => ({
    value: form[name] as string,
    onValueChange: (text: string) => change({ ...form, [name]: text }),
  })
