import { type FormEvent, useState } from 'react'
import type { ReceiptDetailsWire } from '../../../src/contract/receipt-details.ts'
import { apiPost } from '../../api.ts'
import { useApiMutation, useApiQuery } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field, TextField } from '../../ui/field.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { ErrorMessage } from '../../ui/states.tsx'
import { readLogo } from './logo.ts'

export function ReceiptDetailsPage() {
  const query = useApiQuery<ReceiptDetailsWire>('/account/receipt-details')
  return (
    <>
      <PageHeader
        title="Receipt"
        lead="What is printed on every receipt: your shop, how long an offer is valid, and what the seller signs."
      />
      <QueryView query={query} skeletonLines={6}>
        {(details) => <ReceiptDetailsForm key={JSON.stringify(details)} saved={details} />}
      </QueryView>
    </>
  )
}

function ReceiptDetailsForm({ saved }: { saved: ReceiptDetailsWire }) {
  const { role, organization } = useSession()
  const [details, setDetails] = useState(saved)
  const [logoProblem, setLogoProblem] = useState<string>()
  const change = useApiMutation()
  const mayChange = role === 'owner'
  const set = (changed: Partial<ReceiptDetailsWire>) => setDetails({ ...details, ...changed })
  function submit(event: FormEvent) {
    event.preventDefault()
    change.mutate(async () => void (await apiPost('/account/receipt-details', details)))
  }
  async function takeLogo(file: File | undefined) {
    if (!file) return
    try {
      set({ logo: await readLogo(file) })
      setLogoProblem(undefined)
    } catch {
      setLogoProblem('This image cannot be used. Choose a PNG, JPEG or WebP file with little detail.')
    }
  }
  return (
    <form onSubmit={submit}>
      <fieldset className="plain-fieldset" disabled={!mayChange}>
        <Card title="Shop">
          <div className="stack">
            <TextField
              label="Shop name"
              hint={`Empty: ${organization?.name ?? 'the name of the organization'}`}
              maxLength={100}
              value={details.shop_name}
              onValueChange={(name) => set({ shop_name: name })}
            />
            <Field label="Address">
              {(props) => (
                <textarea
                  {...props}
                  rows={3}
                  maxLength={300}
                  value={details.address}
                  onChange={(event) => set({ address: event.target.value })}
                />
              )}
            </Field>
            <TextField
              label="Phone, email or web address"
              maxLength={120}
              value={details.contact}
              onValueChange={(contact) => set({ contact })}
            />
            <TextField
              label="VAT or tax number"
              maxLength={40}
              value={details.vat_id}
              onValueChange={(id) => set({ vat_id: id })}
            />
            <Field label="Logo" hint="PNG, JPEG or WebP. Dark on white prints best." error={logoProblem}>
              {(props) => (
                <input
                  {...props}
                  type="file"
                  accept="image/png,image/jpeg,image/webp"
                  onChange={(event) => takeLogo(event.target.files?.[0])}
                />
              )}
            </Field>
            {details.logo ? (
              <p className="card-actions">
                <img className="sheet-logo" src={details.logo} alt="Logo of the shop" />{' '}
                <Button onClick={() => set({ logo: '' })}>Remove logo</Button>
              </p>
            ) : null}
          </div>
        </Card>
        <Card title="Offer">
          <div className="stack">
            <TextField
              label="Days an offer is valid"
              hint="0 prints no date."
              type="number"
              min={0}
              max={365}
              required
              value={String(details.valid_days)}
              onValueChange={(text) => set({ valid_days: Number(text) })}
            />
            <Field label="What the seller signs">
              {(props) => (
                <textarea
                  {...props}
                  rows={3}
                  maxLength={600}
                  value={details.terms}
                  onChange={(event) => set({ terms: event.target.value })}
                />
              )}
            </Field>
          </div>
        </Card>
      </fieldset>
      {change.error ? <ErrorMessage error={change.error} /> : null}
      {mayChange ? (
        <Button variant="primary" type="submit" isBusy={change.isPending}>
          Save
        </Button>
      ) : (
        <p className="muted">Only owners can change this.</p>
      )}
    </form>
  )
}
