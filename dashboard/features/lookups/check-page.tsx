import type { TFunction } from 'i18next'
import { type ClipboardEvent, useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { IdentifierType } from '../../../src/contract/lookups.ts'
import { useKeyboardScan } from '../../scan/keyboard-scan.ts'
import { ScanDialog } from '../../scan/scan-dialog.tsx'
import { useHasTier } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Card, PageHeader } from '../../ui/page.tsx'
import { EmptyState, ErrorMessage } from '../../ui/states.tsx'
import { useHandedIdentifier, useIdentifierCheck } from './identifier-check.ts'
import { ListCheck } from './list-check.tsx'
import { checkTypedImei, type ListedIdentifier, parseIdentifierList, type TypedImei } from './typed-imei.ts'

const TYPES: readonly IdentifierType[] = ['imei', 'serial', 'esn', 'meid']

const NOTHING: TypedImei = { state: 'nothing' }

function hintOf(typed: TypedImei, t: TFunction<'lookups'>): string | undefined {
  if (typed.state === 'nothing') return undefined
  if (typed.state === 'short') return t('check.short', { count: typed.missing })
  if (typed.state === 'without_check_digit') return t('check.noCheckDigit')
  return t(typed.state === 'right' ? 'check.valid' : 'check.mistyped')
}

export function CheckPage() {
  const { t } = useTranslation('lookups')
  const [identifier, setIdentifier] = useState('')
  useHandedIdentifier(setIdentifier)
  const [type, setType] = useState('')
  /** Identifier with an invalid check digit, held back until the user confirms it. */
  const [doubted, setDoubted] = useState<string | null>(null)
  const { check, busy, error } = useIdentifierCheck()
  useKeyboardScan({
    onScan: (scanned) => {
      setIdentifier(scanned)
      return check(scanned, '')
    },
  })
  const [scanning, setScanning] = useState(false)
  const [list, setList] = useState<readonly ListedIdentifier[]>([])
  const mayCheck = useHasTier('enterprise')
  const typed = type === '' || type === 'imei' ? checkTypedImei(identifier) : NOTHING

  /** Pasting several lines starts a list check. */
  function paste(event: ClipboardEvent) {
    const pasted = parseIdentifierList(event.clipboardData.getData('text'))
    if (pasted.length < 2) return
    event.preventDefault()
    setList(pasted)
  }
  function submit() {
    if (typed.state === 'mistyped' && doubted !== identifier) setDoubted(identifier)
    else check(identifier, type)
  }

  return (
    <>
      <PageHeader title={t('check.title')} lead={t('check.lead')} />
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
          <Form className="check" submit={submit}>
            <TextField
              label={t('check.identifier')}
              hint={hintOf(typed, t)}
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
            <SelectField
              label={t('check.type')}
              value={type}
              options={[
                ['', t('check.auto')],
                ...TYPES.map((type) => [type, type === 'serial' ? t('check.serial') : type.toUpperCase()] as const),
              ]}
              onValueChange={setType}
            />
            <Button variant="primary" type="submit" isBusy={busy}>
              {t('check.submit')}
            </Button>
            <Button onClick={() => setScanning(true)}>{t('check.scan')}</Button>
          </Form>
          {typed.state === 'without_check_digit' ? (
            <div className="actions">
              <Button onClick={() => setIdentifier(typed.whole)}>{t('check.use', { identifier: typed.whole })}</Button>
            </div>
          ) : null}
          {doubted !== null && doubted === identifier ? (
            <div className="doubt" role="status">
              <p>
                <Trans t={t} i18nKey="check.doubt" components={{ strong: <strong /> }} />
              </p>
              <Button isBusy={busy} onClick={() => check(identifier, type)}>
                {t('check.anyway')}
              </Button>
            </div>
          ) : null}
          <ErrorMessage error={error?.field === 'identifier' ? null : error} />
          <p className="muted">
            <Trans t={t} i18nKey="check.help" components={{ code: <code />, docs: <Link to="/dashboard/docs" /> }} />
          </p>
        </Card>
      ) : (
        <EmptyState title={t('check.needsEnterprise')} />
      )}
    </>
  )
}
