import { Link } from 'wouter'
import type { KeyWire, SandboxWire } from '../../src/contract/account.ts'
import { CONDITION_GRADES } from '../../src/contract/grades.ts'
import { ERROR_CODES, ERRORS } from '../../src/contract/refusals.ts'
import { KEY_PREFIXES, TIERS } from '../../src/contract/tiers.ts'
import { useAnswer } from '../answers.ts'
import { Card, PageHead, Scroll, Shown, TierBadge } from '../parts/basics.tsx'
import { CodeBlock } from '../parts/code.tsx'
import { useMayUse, useSession } from '../session.tsx'
import { count, spoken } from '../words.ts'

export function DocsPage() {
  const session = useSession()
  const keys = useAnswer<KeyWire[]>('/account/keys')
  const sandbox = useAnswer<SandboxWire[]>('/account/sandbox')
  const mayPaid = useMayUse('paid')
  const mayCheck = useMayUse('enterprise')
  const tier = session.organization?.tier ?? 'public'
  const mine = keys.data?.data.find((key) => key.state === 'active' || key.state === 'ending')
  const key = mine ? `${mine.prefix}…${mine.last_four}` : `${KEY_PREFIXES[tier]}…`
  const call = (path: string, more = '') =>
    `curl '${session.base_url}${path}' \\\n  -H "Authorization: Bearer $API_KEY"${more}`
  return (
    <>
      <PageHead title="Docs" lead="From a key to the first answers, and what every word in them means.">
        <a className="button button-plain" href="/docs">
          Full reference
        </a>
        <a className="button button-plain" href="/openapi.json">
          OpenAPI file
        </a>
      </PageHead>
      <Card title="Quick start">
        <ol className="steps">
          <li>
            <p>
              {mine ? (
                <>
                  You have a key: <strong>{mine.name}</strong>, <code>{key}</code>. Put the whole key into your
                  environment:
                </>
              ) : (
                <>
                  <Link to="/dashboard/keys">Make a key</Link> and put it into your environment:
                </>
              )}
            </p>
            <CodeBlock label="Environment" code={`export API_KEY='${key}'`} />
          </li>
          <li>
            <p>Find a device:</p>
            <CodeBlock label="Devices" code={call('/api/devices?search=iphone+13&limit=1')} />
          </li>
          {mayPaid ? (
            <li>
              <p>Ask what a variant is worth:</p>
              <CodeBlock label="Price" code={call('/api/pricing?variant_id=apple-iphone-13-128gb-midnight')} />
            </li>
          ) : null}
          {mayCheck ? (
            <li>
              <p>Check an identifier before you buy:</p>
              <CodeBlock
                label="Identifier"
                code={call(
                  '/api/imei',
                  ` \\\n  -H 'Content-Type: application/json' \\\n  -d '{"identifier":"013554006297015","identifier_type":"imei"}'`,
                )}
              />
            </li>
          ) : null}
        </ol>
      </Card>
      <Card title="Limits in force" note="Per key and minute, counted over a sliding window.">
        <Scroll label="Limits" cards>
          <table>
            <thead>
              <tr>
                <th scope="col">Tier</th>
                <th scope="col">Key begins with</th>
                <th scope="col">Requests a minute</th>
              </tr>
            </thead>
            <tbody>
              {TIERS.map((one) => (
                <tr key={one}>
                  <td data-label="Tier">
                    <TierBadge tier={one} />
                  </td>
                  <td data-label="Key begins">
                    <code>{KEY_PREFIXES[one]}</code>
                  </td>
                  <td data-label="A minute">{count(session.organization?.limits[one] ?? 0)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      </Card>
      <Card title="Errors">
        <Scroll label="Errors" cards>
          <table>
            <thead>
              <tr>
                <th scope="col">Status</th>
                <th scope="col">Code</th>
                <th scope="col">When</th>
              </tr>
            </thead>
            <tbody>
              {ERROR_CODES.map((code) => (
                <tr key={code}>
                  <td data-label="Status">{ERRORS[code].status}</td>
                  <td data-label="Code">
                    <code>{code}</code>
                  </td>
                  <td data-label="When">{ERRORS[code].meaning.replaceAll('`', '')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      </Card>
      <Card title="Condition grades">
        <dl className="facts">
          {CONDITION_GRADES.map((grade) => (
            <div key={grade.name}>
              <dt>{grade.name}</dt>
              <dd>{grade.definition}</dd>
            </div>
          ))}
        </dl>
      </Card>
      <Card
        title="Sandbox identifiers"
        note="Test identifiers with fixed answers, for every outcome your program must handle. They belong to no real device."
      >
        <Shown asked={sandbox}>
          {(rows) =>
            rows.length === 0 ? (
              <p className="soft">The sandbox source is not on in this installation.</p>
            ) : (
              <Scroll label="Sandbox identifiers" cards>
                <table>
                  <thead>
                    <tr>
                      <th scope="col">Identifier</th>
                      <th scope="col">Outcome</th>
                      <th scope="col">What it shows</th>
                    </tr>
                  </thead>
                  <tbody>
                    {rows.map((row) => (
                      <tr key={row.identifier}>
                        <td data-label="Identifier">
                          <code>{row.identifier}</code>
                        </td>
                        <td data-label="Outcome">{spoken(row.outcome)}</td>
                        <td data-label="Shows">{row.about}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </Scroll>
            )
          }
        </Shown>
      </Card>
    </>
  )
}
