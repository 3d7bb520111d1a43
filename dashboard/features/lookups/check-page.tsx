import { type ClipboardEvent, type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import type { IdentifierType } from '../../../src/contract/lookups.ts'
import { pluralize } from '../../format.ts'
import { ScanDialog } from '../../scan/scan-dialog.tsx'
import { useHasTier } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field, TextField } from '../../ui/field.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState, ErrorMessage } from '../../ui/states.tsx'
import { useHandedIdentifier, useIdentifierCheck } from './identifier-check.ts'
import { ListCheck } from './list-check.tsx'
import { checkTypedImei, parseIdentifierList, type TypedImei } from './typed-imei.ts'

const NAMES: Readonly<Record<IdentifierType, string>> = {
  imei: 'IMEI',
  serial: 'Serial number',
  esn: 'ESN',
  meid: 'MEID',
}

const NOTHING: TypedImei = { state: 'nothing' }

const HINTS: Readonly<Record<TypedImei['state'], (typed: TypedImei) => string | undefined>> = {
  nothing: () => undefined,
  short: (typed) =>
    typed.state === 'short' ? `${pluralize(typed.missing, 'more digit')} needed for an IMEI` : undefined,
  without_check_digit: () => 'The check digit (15th digit) is missing.',
  right: () => '✓ Check digit is valid.',
  mistyped: () => 'Check digit mismatch: one digit is mistyped.',
}

export function CheckPage() {
  const [identifier, setIdentifier] = useState('')
  useHandedIdentifier(setIdentifier)
  const [type, setType] = useState('')
  /** Identifier with an invalid check digit, held back until the user confirms it. */
  const [doubted, setDoubted] = useState<string | null>(null)
  const { check, busy, error } = useIdentifierCheck()
  const [scanning, setScanning] = useState(false)
  const [list, setList] = useState<readonly string[]>([])
  const mayCheck = useHasTier('enterprise')
  const typed = type === '' || type === 'imei' ? checkTypedImei(identifier) : NOTHING

  /** Pasting several lines starts a list check. */
  function paste(event: ClipboardEvent) {
    const pasted = parseIdentifierList(event.clipboardData.getData('text'))
    if (pasted.length < 2) return
    event.preventDefault()
    setList(pasted)
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    if (typed.state === 'mistyped' && doubted !== identifier) setDoubted(identifier)
    else check(identifier, type)
  }

  return (
    <>
      <PageHeader
        title="Identifier check"
        lead="Enter an IMEI, MEID, ESN or serial number, or paste a list with one per line. Spaces and dashes are ignored. Every check is saved in your history."
      />
      {scanning ? (
        <ScanDialog
          close={() => setScanning(false)}
          onCode={(code) => {
            setScanning(false)
            setIdentifier(code)
          }}
        />
      ) : null}
      {mayCheck && list.length > 0 ? <ListCheck identifiers={list} clear={() => setList([])} /> : null}
      {mayCheck ? (
        <Card>
          <form className="check" onSubmit={submit}>
            <TextField
              label="Identifier"
              hint={HINTS[typed.state](typed)}
              error={error?.field === 'identifier' ? error.message : undefined}
              className="big"
              required
              autoComplete="off"
              spellCheck={false}
              inputMode="text"
              maxLength={64}
              placeholder="35 209900 176148 1"
              autoFocus
              onPaste={paste}
              value={identifier}
              onValueChange={setIdentifier}
            />
            <Field label="Type">
              {(props) => (
                <select {...props} value={type} onChange={(event) => setType(event.target.value)}>
                  <option value="">Detect automatically</option>
                  {Object.entries(NAMES).map(([one, name]) => (
                    <option key={one} value={one}>
                      {name}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <Button variant="primary" type="submit" isBusy={busy}>
              Check
            </Button>
            <Button onClick={() => setScanning(true)}>Scan</Button>
          </form>
          {typed.state === 'without_check_digit' ? (
            <p className="suggestions">
              <Button onClick={() => setIdentifier(typed.whole)}>Use {typed.whole}</Button>
            </p>
          ) : null}
          {doubted !== null && doubted === identifier ? (
            <div className="doubt" role="status">
              <p>
                <strong>Check digit mismatch:</strong> one digit of this IMEI is mistyped. Compare it with the device.
              </p>
              <Button isBusy={busy} onClick={() => check(identifier, type)}>
                Check anyway
              </Button>
            </div>
          ) : null}
          {error && error.field !== 'identifier' ? <ErrorMessage error={error} /> : null}
          <p className="muted">
            Dial <code>*#06#</code> on a phone to see its IMEI. A device is “clean” only if a blacklist source confirmed
            it. To test each outcome, use the sandbox identifiers in the <Link to="/dashboard/docs">docs</Link>.
          </p>
        </Card>
      ) : (
        <EmptyState title="Identifier checks need the Enterprise tier" />
      )}
    </>
  )
}
