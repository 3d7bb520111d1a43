import { type FormEvent, useEffect, useState } from 'react'
import type { ServiceSettingsWire } from '../../../src/contract/service-settings.ts'
import { apiPost } from '../../api.ts'
import { formatTime, humanize } from '../../format.ts'
import { useApiMutation } from '../../queries.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextField } from '../../ui/field.tsx'
import { EmptyState, ErrorMessage } from '../../ui/states.tsx'
import { NO_HEADER, SecretHeaderFields, toHeaders } from './secret-headers.tsx'

type Feed = ServiceSettingsWire['feeds'][number]

const OUTCOMES: Readonly<Record<NonNullable<Feed['outcome']>, { tone: Tone; label: string }>> = {
  imported: { tone: 'good', label: 'Imported' },
  unchanged: { tone: 'good', label: 'Unchanged' },
  failed: { tone: 'bad', label: 'Failed' },
  stopped: { tone: 'warn', label: 'Stopped' },
  unfinished: { tone: 'blue', label: 'Running' },
}
const SCHEDULES = [
  ['0 3 * * *', 'Every night'],
  ['0 * * * *', 'Every hour'],
  ['0 3 * * 1', 'Every Monday'],
  ['', 'By hand only'],
] as const
const POLL_MS = 2_000

/** Lists that the service fetches and imports by itself. */
export function FeedsCard({
  feeds,
  formats,
  refetch,
}: {
  feeds: readonly Feed[]
  formats: readonly string[]
  refetch: () => unknown
}) {
  const [isAdding, setAdding] = useState(false)
  const [started, setStarted] = useState<ReadonlySet<string>>(new Set())
  const changing = useApiMutation()
  const change = (path: string, body: object) =>
    changing.mutate(async () => {
      await apiPost(`/account/service/feeds/${path}`, body)
    })
  const isRunning = feeds.some(
    (feed) => feed.outcome === 'unfinished' || started.has(`${feed.name} ${feed.last_run_at}`),
  )
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(refetch, POLL_MS)
    return () => clearInterval(timer)
  }, [isRunning, refetch])
  function run(feed: Feed) {
    setStarted(new Set([...started, `${feed.name} ${feed.last_run_at}`]))
    change('run', { name: feed.name })
  }
  return (
    <Card
      title="Feeds"
      note="Lists that are fetched from an address and imported on a schedule."
      action={<Button onClick={() => setAdding(true)}>Add feed</Button>}
    >
      {isAdding ? <FeedDialog formats={formats} close={() => setAdding(false)} /> : null}
      {changing.error ? <ErrorMessage error={changing.error} /> : null}
      {feeds.length === 0 ? (
        <EmptyState title="No feeds" />
      ) : (
        <DataTable label="Feeds" head={['Feed', 'Last run', 'Next run']} hasActions>
          {feeds.map((feed) => (
            <tr key={feed.name}>
              <td data-label="Feed">
                <strong>{feed.name}</strong> <span className="muted">{humanize(feed.format)}</span>
                <br />
                <span className="muted breakable">{feed.address}</span>
              </td>
              <td data-label="Last run">
                {feed.outcome ? (
                  <Badge tone={OUTCOMES[feed.outcome].tone}>{OUTCOMES[feed.outcome].label}</Badge>
                ) : (
                  'Never'
                )}{' '}
                {feed.last_run_at ? formatTime(feed.last_run_at) : null}
                {feed.outcome === 'failed' && feed.failure ? <p className="field-error">{feed.failure}</p> : null}
              </td>
              <td data-label="Next run">
                {feed.is_paused ? (
                  <Badge tone="warn">Paused</Badge>
                ) : feed.next_run_at ? (
                  formatTime(feed.next_run_at)
                ) : (
                  'By hand'
                )}
              </td>
              <td>
                <div className="row-actions">
                  <Button disabled={changing.isPending || feed.outcome === 'unfinished'} onClick={() => run(feed)}>
                    Run now
                  </Button>
                  {feed.origin === 'page' ? (
                    <>
                      <Button
                        disabled={changing.isPending}
                        onClick={() => change('pause', { name: feed.name, is_paused: !feed.is_paused })}
                      >
                        {feed.is_paused ? 'Resume' : 'Pause'}
                      </Button>
                      <Button
                        variant="danger"
                        disabled={changing.isPending}
                        onClick={() => change('remove', { name: feed.name })}
                      >
                        Remove
                      </Button>
                    </>
                  ) : (
                    <span className="muted">from FEEDS_FILE</span>
                  )}
                </div>
              </td>
            </tr>
          ))}
        </DataTable>
      )}
    </Card>
  )
}

function FeedDialog({ formats, close }: { formats: readonly string[]; close: () => void }) {
  const [name, setName] = useState('')
  const [format, setFormat] = useState('observations')
  const [url, setUrl] = useState('')
  const [schedule, setSchedule] = useState<string>(SCHEDULES[0][0])
  const [options, setOptions] = useState('')
  const [header, setHeader] = useState(NO_HEADER)
  const saving = useApiMutation()
  function submit(event: FormEvent) {
    event.preventDefault()
    saving.mutate(async () => {
      await apiPost('/account/service/feeds', {
        ...{ name, format, url, schedule: schedule || null },
        time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        options: parseOptions(options),
        headers: toHeaders(header),
      })
      close()
    })
  }
  return (
    <Dialog title="Add a feed" onClose={close}>
      <form className="stack" onSubmit={submit}>
        <TextField
          label="Name"
          hint="Lower-case letters, digits, - and _."
          required
          maxLength={40}
          value={name}
          onValueChange={setName}
        />
        <Field label="Format">
          {(props) => (
            <select {...props} value={format} onChange={(event) => setFormat(event.target.value)}>
              {formats.map((each) => (
                <option key={each} value={each}>
                  {humanize(each)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <TextField
          label="Address"
          type="url"
          placeholder="https://supplier.example/prices.csv"
          required
          maxLength={2_000}
          value={url}
          onValueChange={setUrl}
        />
        <Field label="Schedule" hint="In the time zone of this browser.">
          {(props) => (
            <select {...props} value={schedule} onChange={(event) => setSchedule(event.target.value)}>
              {SCHEDULES.map(([cron, label]) => (
                <option key={cron} value={cron}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
        <TextField
          label="Import options"
          hint="As in “import”, separated by commas: side=ask, currency=EUR"
          maxLength={500}
          value={options}
          onValueChange={setOptions}
        />
        <SecretHeaderFields header={header} change={setHeader} storedNames={[]} />
        {saving.error ? <ErrorMessage error={saving.error} /> : null}
        <Button variant="primary" type="submit" isBusy={saving.isPending}>
          Add feed
        </Button>
      </form>
    </Dialog>
  )
}

function parseOptions(text: string): Record<string, string> {
  const pairs = text.split(',').map((pair) => pair.split('='))
  return Object.fromEntries(
    pairs.flatMap(([name = '', ...value]) => (name.trim() ? [[name.trim(), value.join('=').trim()]] : [])),
  )
}
