import { useFilters } from '../search-params.ts'
import { Select } from './select.tsx'

/** Select whose value is a query parameter of the page. A choice leads back to the first page of a list. */
export function FilterSelect({
  param,
  value,
  label,
  options,
}: {
  param: string
  /** The parameter itself by default. */
  value?: string
  label?: string
  options: Parameters<typeof Select<string>>[0]['options']
}) {
  const [query, change] = useFilters()
  return (
    <Select
      aria-label={label}
      value={value ?? query.get(param) ?? ''}
      options={options}
      onValueChange={(chosen) => change({ [param]: chosen, page: '', after: '' }, { replace: true })}
    />
  )
}
