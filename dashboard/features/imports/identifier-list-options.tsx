import { Card, Field } from '../../ui/basics.tsx'
import { type UploadOptions, withOption } from './upload-options.ts'

/** What only whoever brings an identifier list can know of it. */
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
        <Field label="Name of the list" hint="A file under the same name replaces what is there.">
          {(props) => (
            <input
              {...props}
              maxLength={60}
              placeholder="its kind, such as stolen"
              value={options.list ?? ''}
              onChange={(event) => set('list')(event.target.value)}
            />
          )}
        </Field>
        <Field label="Kind">
          {(props) => (
            <select {...props} value={options.kind ?? ''} onChange={(event) => set('kind')(event.target.value)}>
              <option value="">by its header</option>
              <option value="stolen">stolen</option>
              <option value="barred">barred</option>
              <option value="barred-tac">barred TACs</option>
              <option value="registration">registration</option>
            </select>
          )}
        </Field>
        {clears ? (
          <>
            <Field label="Where that holds" hint="A country or a name; answers show it.">
              {(props) => (
                <input
                  {...props}
                  maxLength={40}
                  value={options.area ?? ''}
                  onChange={(event) => set('area')(event.target.value)}
                />
              )}
            </Field>
            <Field label="For how many days" hint="1 to 365, from the import on.">
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
        <span>What is not on this list is clean. Say so only of a stolen list that is complete for its area.</span>
      </label>
      <label className="upload-check">
        <input
          type="checkbox"
          checked={options['accept-shrink'] !== undefined}
          onChange={(event) => set('accept-shrink')(event.target.checked ? 'yes' : '')}
        />
        <span>Accept a list that is much smaller than the one it replaces.</span>
      </label>
    </Card>
  )
}
