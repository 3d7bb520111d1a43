import { type FormEvent, useState } from 'react'
import type { PolicyPageWire } from '../../src/contract/account.ts'
import { useAnswer, useChange } from '../answers.ts'
import { Badge, Button, Card, PageHead, Problem, Shown } from '../parts/basics.tsx'
import { post } from '../service.ts'
import { useSession } from '../session.tsx'
import { amountIn } from '../words.ts'
import { asSent, asShown, GROUPS, TERM_WORDS, type Term } from './terms.ts'

/** What the organization wants of a deal: every term with its sentence, its own or the one that holds for all. */
export function PolicyPage() {
  const asked = useAnswer<PolicyPageWire>('/account/policy')
  return (
    <>
      <PageHead
        title="Terms of deals"
        lead="Every offer keeps to them: what a deal must earn, what it costs, and what to do at which risk."
      />
      <Shown asked={asked} lines={8}>
        {(page) => <PolicyForm key={JSON.stringify(page.policy)} page={page} />}
      </Shown>
    </>
  )
}

function PolicyForm({ page }: { page: PolicyPageWire }) {
  const { role } = useSession()
  const { policy } = page
  const [changed, setChanged] = useState<Partial<Record<Term, string>>>({})
  const change = useChange()
  const mayChange = role === 'owner'
  const shown = (term: Term) => changed[term] ?? asShown(term, policy)
  const isChanged = Object.keys(changed).length > 0
  const send = (terms: Partial<Record<Term, unknown>>) =>
    change.mutate(async () => {
      await post('/account/policy', { terms })
      setChanged({})
    })
  function submit(event: FormEvent) {
    event.preventDefault()
    const given = Object.entries(changed) as [Term, string][]
    send(Object.fromEntries(given.map(([term, text]) => [term, asSent(term, text, policy.currency)])))
  }
  return (
    <form onSubmit={submit}>
      {GROUPS.map(({ title, terms }) => (
        <Card key={title} title={title}>
          {terms.map((term) => (
            <div key={term} className="term">
              <div>
                <label htmlFor={term}>{TERM_WORDS[term].label}</label>
                <p className="hint">{page.says[term].replaceAll('`', '')}</p>
              </div>
              <div className="term-value">
                <TermInput
                  term={term}
                  page={page}
                  value={shown(term)}
                  isDisabled={!mayChange}
                  change={(text) => setChanged({ ...changed, [term]: text })}
                />
                {page.own.includes(term) ? (
                  <span className="soft">
                    <Badge tone="blue">own</Badge> for all: {forAll(term, page)}{' '}
                    {mayChange ? (
                      <Button look="bare" busy={change.isPending} onClick={() => send({ [term]: null })}>
                        Take back<span className="unseen"> {TERM_WORDS[term].label}</span>
                      </Button>
                    ) : null}
                  </span>
                ) : null}
              </div>
              {change.error?.field === term ? <p className="field-error">{change.error.message}</p> : null}
            </div>
          ))}
        </Card>
      ))}
      {change.error && !change.error.field ? <Problem error={change.error} /> : null}
      {mayChange ? (
        <p className="term-actions">
          <Button look="main" type="submit" busy={change.isPending} disabled={!isChanged}>
            Save the terms
          </Button>
          {isChanged ? <Button onClick={() => setChanged({})}>Leave them as they were</Button> : null}
        </p>
      ) : (
        <p className="soft">An owner of the organization can change them.</p>
      )}
    </form>
  )
}

function forAll(term: Term, { for_all: common }: PolicyPageWire): string {
  const { kind } = TERM_WORDS[term]
  return kind === 'amount' ? amountIn(Number(common[term]), common.currency) : asShown(term, common)
}

function TermInput({
  term,
  page,
  value,
  isDisabled,
  change,
}: {
  term: Term
  page: PolicyPageWire
  value: string
  isDisabled: boolean
  change: (text: string) => void
}) {
  const { kind, unit } = TERM_WORDS[term]
  const choices = kind === 'currency' ? page.currencies : kind === 'action' ? ['offer', 'inspect', 'reject'] : null
  if (choices) {
    return (
      <select id={term} value={value} disabled={isDisabled} onChange={(event) => change(event.target.value)}>
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    )
  }
  return (
    <span className="term-number">
      <input
        id={term}
        inputMode="decimal"
        required
        pattern="\d+([.]\d+)?"
        value={value}
        disabled={isDisabled}
        onChange={(event) => change(event.target.value)}
      />
      <span className="soft">{kind === 'amount' ? page.policy.currency : unit}</span>
    </span>
  )
}
