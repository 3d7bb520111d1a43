import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import type { IdentifierType } from '../../src/contract/imei.ts'
import { isMistypedImei, takenToCheck, useIdentifierCheck } from '../identifier-check.ts'
import { Button, Card, Empty, Field, PageHead, Problem } from '../parts/basics.tsx'
import { useMayUse } from '../session.tsx'

const NAMES: Readonly<Record<IdentifierType, string>> = {
  imei: 'IMEI',
  serial: 'Serial number',
  esn: 'ESN',
  meid: 'MEID',
}

export function CheckPage() {
  const [identifier, setIdentifier] = useState(takenToCheck)
  const [type, setType] = useState('')
  /** The text that was held back because its check digit does not fit; sent when it is confirmed as it stands. */
  const [doubted, setDoubted] = useState<string | null>(null)
  const { check, busy, error } = useIdentifierCheck()
  const mayCheck = useMayUse('enterprise')

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isMistypedImei(identifier, type) && doubted !== identifier) setDoubted(identifier)
    else check(identifier, type)
  }

  return (
    <>
      <PageHead
        title="Identifier check"
        lead="Type or paste an IMEI, MEID, ESN or serial number. Spaces and dashes do not matter. Every check is kept in your history."
      />
      {mayCheck ? (
        <Card>
          <form className="check" onSubmit={submit}>
            <Field label="Identifier" error={error?.field === 'identifier' ? error.message : undefined}>
              {(props) => (
                <input
                  {...props}
                  className="big"
                  required
                  autoComplete="off"
                  spellCheck={false}
                  inputMode="text"
                  maxLength={64}
                  placeholder="35 209900 176148 1"
                  value={identifier}
                  onChange={(event) => setIdentifier(event.target.value)}
                />
              )}
            </Field>
            <Field label="Kind">
              {(props) => (
                <select {...props} value={type} onChange={(event) => setType(event.target.value)}>
                  <option value="">Recognise it</option>
                  {Object.entries(NAMES).map(([one, name]) => (
                    <option key={one} value={one}>
                      {name}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <Button look="main" type="submit" busy={busy}>
              Check
            </Button>
          </form>
          {doubted !== null && doubted === identifier ? (
            <div className="doubt" role="status">
              <p>
                <strong>Look at it again:</strong> the last digit of this IMEI does not fit the others, so one of them
                is mistyped.
              </p>
              <Button busy={busy} onClick={() => check(identifier, type)}>
                Check it as typed
              </Button>
            </div>
          ) : null}
          {error && error.field !== 'identifier' ? <Problem error={error} /> : null}
          <p className="soft">
            On a phone, dial <code>*#06#</code> to see its IMEI. A result never says “clean” unless a source that covers
            that list answered. To try every outcome, use the sandbox identifiers in the{' '}
            <Link to="/dashboard/docs">docs</Link>.
          </p>
        </Card>
      ) : (
        <Empty title="Identifier checks need the Enterprise tier" />
      )}
    </>
  )
}
