import { useState } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import { useLocationProperty } from 'wouter/use-browser-location'
import type { LookupRecordWire } from '../../src/contract/imei.ts'
import { useAnswer } from '../answers.ts'
import { Badge, Button, Card, Empty, PageHead, Pages, Shown } from '../parts/basics.tsx'
import { CallPanel } from '../parts/code.tsx'
import { Table } from '../parts/table.tsx'
import { useMayUse } from '../session.tsx'
import { spoken, time } from '../words.ts'
import { LEVEL_TONES } from './lookup.tsx'

const PAGE_SIZE = 25

export function LookupsPage() {
  const [query] = useSearchParams()
  const [, navigate] = useLocation()
  const mayCheck = useMayUse('enterprise')
  const page = Number(query.get('page') ?? 1) || 1
  // An identifier is personal: behind "#" it stays in this browser's address bar and is in no server's log of pages.
  const identifier = decodeURIComponent(useLocationProperty(() => location.hash).slice(1))
  const filter = identifier ? `&identifier=${encodeURIComponent(identifier)}` : ''
  const path = `imei?limit=${PAGE_SIZE}&page=${page}${filter}`
  const asked = useAnswer<LookupRecordWire[]>(mayCheck ? `/account/explore/${path}` : null)
  return (
    <>
      <PageHead title="Lookup history" lead="Every identifier that this organization checked, newest first.">
        <a
          className="button button-plain"
          href={`/account/lookups.csv${identifier ? `?${filter.slice(1)}` : ''}`}
          download
        >
          Download CSV
        </a>
      </PageHead>
      {mayCheck ? (
        <>
          <IdentifierFilter key={identifier} chosen={identifier} />
          <Card>
            <Shown asked={asked} lines={6}>
              {(lookups, { meta }) =>
                lookups.length === 0 ? (
                  <Empty title={identifier ? 'No lookup of this identifier' : 'No lookups yet'}>
                    <p>
                      <Link to="/dashboard/check">Check an identifier</Link>
                    </p>
                  </Empty>
                ) : (
                  <>
                    <Table label="Lookups" head={['When', 'Identifier', 'Device', 'Risk', 'Blacklist', 'Sources']}>
                      {lookups.map((lookup) => (
                        <tr key={lookup.lookup_id}>
                          <td data-label="When" className="nowrap">
                            {time(lookup.timestamp)}
                          </td>
                          <td data-label="Identifier">
                            <Link to={`/dashboard/lookups/${lookup.lookup_id}`}>{lookup.identifier}</Link>
                            <div className="soft">{lookup.identifier_type.toUpperCase()}</div>
                          </td>
                          <td data-label="Device">{lookup.device_match.matched_device_name ?? 'not recognised'}</td>
                          <td data-label="Risk">
                            <Badge tone={LEVEL_TONES[lookup.risk_level]}>
                              {lookup.risk_score} {lookup.risk_level}
                            </Badge>
                          </td>
                          <td data-label="Blacklist">{spoken(lookup.blacklist_status)}</td>
                          <td data-label="Sources" className="soft">
                            {lookup.source.replaceAll('+', ', ')}
                          </td>
                        </tr>
                      ))}
                    </Table>
                    {meta ? <Pages meta={meta} to={(next) => navigate(`?page=${next}${location.hash}`)} /> : null}
                  </>
                )
              }
            </Shown>
          </Card>
          <CallPanel path={path} answer={asked.data?.text} />
        </>
      ) : (
        <Empty title="Lookups need the Enterprise tier" />
      )}
    </>
  )
}

function IdentifierFilter({ chosen }: { chosen: string }) {
  const [text, setText] = useState(chosen)
  const [, navigate] = useLocation()
  const apply = (value: string) => navigate(`/dashboard/lookups${value ? `#${encodeURIComponent(value)}` : ''}`)
  return (
    <form
      className="filters"
      onSubmit={(event) => {
        event.preventDefault()
        apply(text.trim())
      }}
    >
      <label className="search">
        <span className="unseen">Filter by identifier</span>
        <input
          type="search"
          placeholder="Filter by identifier"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <Button type="submit">Filter</Button>
      {chosen ? <Button onClick={() => apply('')}>Show all</Button> : null}
    </form>
  )
}
