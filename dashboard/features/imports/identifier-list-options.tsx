import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { type UploadOptions, withOption } from './upload-options.ts'

export function IdentifierListOptions({
  options,
  change,
}: {
  options: UploadOptions
  change: (options: UploadOptions) => void
}) {
  const set = (name: string) => (value: string) => change(withOption(options, name, value))
  const clears = options.clears !== undefined
  return (
    <Card title="About this list">
      <div className="upload-options">
        <Field label="List name" hint="Replaces an existing list with the same name.">
          {(props) => (
            <input
              {...props}
              maxLength={60}
              placeholder="for example, stolen"
              value={options.list ?? ''}
              onChange={(event) => set('list')(event.target.value)}
            />
          )}
        </Field>
        <Field label="Kind">
          {(props) => (
            <select {...props} value={options.kind ?? ''} onChange={(event) => set('kind')(event.target.value)}>
              <option value="">From the header</option>
              <option value="stolen">Stolen</option>
              <option value="barred">Barred</option>
              <option value="barred-tac">Barred TACs</option>
              <option value="registration">Registration</option>
            </select>
          )}
        </Field>
        {clears ? (
          <>
            <Field label="Region" hint="Country or region name, shown in results.">
              {(props) => (
                <input
                  {...props}
                  maxLength={40}
                  value={options.area ?? ''}
                  onChange={(event) => set('area')(event.target.value)}
                />
              )}
            </Field>
            <Field label="Valid for (days)" hint="1 to 365, counted from the import.">
              {(props) => (
                <input
                  {...props}
                  inputMode="numeric"
                  value={options['max-age-days'] ?? ''}
                  onChange={(event) => set('max-age-days')(event.target.value)}
                />
              )}
            </Field>
          </>
        ) : null}
      </div>
      <label className="upload-check">
        <input
          type="checkbox"
          checked={clears}
          onChange={(event) => {
            const { clears: _, area: _area, 'max-age-days': _days, ...rest } = options
            change(event.target.checked ? { ...rest, clears: 'yes' } : rest)
          }}
        />
        <span>Identifiers not on this list are clean. Tick only if the list is complete for its region.</span>
      </label>
      <label className="upload-check">
        <input
          type="checkbox"
          checked={options['accept-shrink'] !== undefined}
          onChange={(event) => set('accept-shrink')(event.target.checked ? 'yes' : '')}
        />
        <span>Import even if the list is more than 25 % smaller than the one it replaces.</span>
      </label>
    </Card>
  )
}
