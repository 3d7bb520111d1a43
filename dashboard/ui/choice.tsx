import type { ComponentProps, ReactNode } from 'react'

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
