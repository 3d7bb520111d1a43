import { type FormEvent, useState } from 'react'
import type { ServiceSettingsWire, SourceTestWire } from '../../../src/contract/service-settings.ts'
import { apiPost } from '../../api.ts'
import { humanize } from '../../format.ts'
import { useApiMutation } from '../../queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextField } from '../../ui/field.tsx'
import { EmptyState, ErrorMessage } from '../../ui/states.tsx'
import { NO_HEADER, SecretHeaderFields, toHeaders } from './secret-headers.tsx'

type Source = ServiceSettingsWire['sources'][number]

const EXAMPLE = JSON.stringify(
  {
    name: 'registry',
    speaks_for: ['blacklist'],
    identifiers: ['imei'],
    request: { method: 'GET', url: 'https://registry.example/check/{identifier}' },
    answer: {
      identifier: 'imei',
      facts: { blacklist: { path: 'status', words: { clean: 'clean', blocked: 'blacklisted' } } },
    },
  },
  null,
  2,
)

/** Outside sources that are asked about identifiers. */
export function SourcesCard({ sources }: { sources: readonly Source[] }) {
  const [edited, setEdited] = useState<Source | 'new' | null>(null)
  const [tested, setTested] = useState<Source | null>(null)
  const removing = useApiMutation()
  const remove = ({ name }: Source) =>
    removing.mutate(async () => {
      await apiPost('/account/service/sources/remove', { name })
    })
  return (
    <Card
      title="Identifier sources"
      note="Registries and providers that are asked at every identifier check, besides imported lists."
      action={<Button onClick={() => setEdited('new')}>Add source</Button>}
    >
      {edited ? <SourceDialog source={edited === 'new' ? null : edited} close={() => setEdited(null)} /> : null}
      {tested ? <TestDialog source={tested} close={() => setTested(null)} /> : null}
      {removing.error ? <ErrorMessage error={removing.error} /> : null}
      {sources.length === 0 ? (
        <EmptyState title="No outside source" />
      ) : (
        <DataTable label="Identifier sources" head={['Source', 'Clears', 'State']} hasActions>
          {sources.map((source) => (
            <tr key={source.name}>
              <td data-label="Source">
                <strong>{source.name}</strong>
                <br />
                <span className="muted breakable">{source.host}</span>
              </td>
              <td data-label="Clears">{source.speaks_for.map(humanize).join(', ') || 'nothing'}</td>
              <td data-label="State">
                {source.outage ? <Badge tone="bad">{source.outage}</Badge> : <Badge tone="good">Asked</Badge>}
              </td>
              <td>
                <div className="row-actions">
                  <Button onClick={() => setTested(source)}>Test</Button>
                  {source.origin === 'page' ? (
                    <>
                      <Button onClick={() => setEdited(source)}>Change</Button>
                      <Button variant="danger" isBusy={removing.isPending} onClick={() => remove(source)}>
                        Remove
                      </Button>
                    </>
                  ) : (
                    <span className="muted">from SOURCES_FILE</span>
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

function SourceDialog({ source, close }: { source: Source | null; close: () => void }) {
  const [definition, setDefinition] = useState(source?.definition ?? EXAMPLE)
  const [header, setHeader] = useState(NO_HEADER)
  const saving = useApiMutation()
  function submit(event: FormEvent) {
    event.preventDefault()
    saving.mutate(async () => {
      await apiPost('/account/service/sources', { definition, headers: toHeaders(header) })
      close()
    })
  }
  return (
    <Dialog title={source ? `Change ${source.name}` : 'Add a source'} onClose={close}>
      <form className="stack" onSubmit={submit}>
        <Field label="Definition" hint="JSON as described in docs/risk.md: address, and what its response means.">
          {(props) => (
            <textarea
              {...props}
              className="json-field"
              rows={14}
              spellCheck={false}
              required
              value={definition}
              onChange={(event) => setDefinition(event.target.value)}
            />
          )}
        </Field>
        <SecretHeaderFields header={header} change={setHeader} storedNames={source?.header_names ?? []} />
        {saving.error ? <ErrorMessage error={saving.error} /> : null}
        <Button variant="primary" type="submit" isBusy={saving.isPending}>
          Save
        </Button>
      </form>
    </Dialog>
  )
}

function TestDialog({ source, close }: { source: Source; close: () => void }) {
  const [identifier, setIdentifier] = useState('')
  const [result, setResult] = useState<SourceTestWire | null>(null)
  const testing = useApiMutation()
  function submit(event: FormEvent) {
    event.preventDefault()
    setResult(null)
    testing.mutate(async () => {
      const body = { name: source.name, identifier }
      setResult((await apiPost<SourceTestWire>('/account/service/sources/test', body)).data)
    })
  }
  return (
    <Dialog title={`Test ${source.name}`} onClose={close}>
      <form className="stack" onSubmit={submit}>
        <TextField
          label="Identifier"
          hint="The source is asked now, without the cache. It may charge for it."
          required
          maxLength={64}
          autoComplete="off"
          value={identifier}
          onValueChange={setIdentifier}
        />
        {testing.error ? <ErrorMessage error={testing.error} /> : null}
        <div role="status">{result ? <TestResult result={result} /> : null}</div>
        <Button variant="primary" type="submit" isBusy={testing.isPending}>
          Ask the source
        </Button>
      </form>
    </Dialog>
  )
}

function TestResult({ result: { outcome, reason, duration_ms: ms, facts, findings } }: { result: SourceTestWire }) {
  if (outcome !== 'answered') {
    return (
      <p>
        <Badge tone={outcome === 'failed' ? 'bad' : 'warn'}>{outcome === 'failed' ? 'Failed' : 'Not asked'}</Badge>{' '}
        {reason}
      </p>
    )
  }
  const statements = [...Object.entries(facts), ...findings.map((finding) => ['finding', finding] as const)]
  return (
    <>
      <p>
        <Badge tone="good">Answered</Badge> in {ms} ms
      </p>
      <ul className="plain-list">
        {statements.map(([name, value]) => (
          <li key={`${name} ${value}`}>
            <span>{humanize(name)}</span>
            <span>{humanize(value)}</span>
          </li>
        ))}
      </ul>
      {statements.length === 0 ? <p className="muted">It states nothing about this identifier.</p> : null}
    </>
  )
}
