import { Link } from 'wouter'
import type { DeviceWire } from '../../src/contract/device.ts'
import { useAnswer } from '../answers.ts'
import { counterAt } from '../counter/deal.ts'
import { configurationsOf } from '../device/configurations.ts'
import { RepairsInShort } from '../device/repairs-in-short.tsx'
import { Variants } from '../device/variants.tsx'
import { Worth } from '../device/worth.tsx'
import { Badge, Card, Empty, PageHead, Shown } from '../parts/basics.tsx'
import { CallPanel } from '../parts/code.tsx'
import { Folded } from '../parts/folded.tsx'
import { Picture } from '../parts/picture.tsx'
import { useMayUse } from '../session.tsx'
import { released, spoken } from '../words.ts'

const FACTS_AT_FIRST = 5

export function DevicePage({ id }: { id: string }) {
  const path = `devices/${encodeURIComponent(id)}`
  const asked = useAnswer<DeviceWire>(`/account/explore/${path}`)
  const mayPrice = useMayUse('paid')
  if (asked.error?.code === 'NOT_FOUND') return <NoDevice />
  return (
    <Shown asked={asked} lines={8} title="Device">
      {(device, { text }) => (
        <>
          <Crumbs device={device} />
          <PageHead
            title={device.name}
            lead={
              <>
                {device.make.name} · {device.category.name} · released{' '}
                {released(device.release_date, device.release_date_precision)}{' '}
                <Badge tone={device.status === 'active' ? 'good' : 'plain'}>{device.status}</Badge>
              </>
            }
          >
            {mayPrice ? (
              <Link className="button button-main" to={counterAt({ device: device.id })}>
                Appraise one
              </Link>
            ) : null}
          </PageHead>
          <div className="device-page">
            {mayPrice ? (
              <Worth deviceId={device.id} configurations={configurationsOf(device.variants)} />
            ) : (
              <Card title="Worth today, used">
                <Empty title="Prices and repairs need the Paid tier" />
              </Card>
            )}
            <div>
              <Picture of={device.thumbnail} large />
              {mayPrice ? <RepairsInShort deviceId={device.id} /> : null}
            </div>
          </div>
          <div className="device-page">
            <Variants device={device} />
            <Specifications device={device} />
          </div>
          <CallPanel path={path} answer={text} />
        </>
      )}
    </Shown>
  )
}

function Specifications({ device }: { device: DeviceWire }) {
  const facts: [string, string][] = [
    ...Object.entries(device.technical_specifications).map(([name, value]): [string, string] => [spoken(name), value]),
    ['Model numbers', device.model_numbers.join(', ') || 'unknown'],
  ]
  if (device.model_identifiers.length > 0) facts.push(['Model identifiers', device.model_identifiers.join(', ')])
  return (
    <Card title="Specifications">
      <Folded all={facts} first={FACTS_AT_FIRST} what="specifications">
        {(shown) => (
          <dl className="facts">
            {shown.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
      </Folded>
    </Card>
  )
}

function NoDevice() {
  return (
    <>
      <PageHead title="Device" />
      <Empty title="This device is not in the registry">
        <p>
          <Link to="/dashboard/devices">Search the registry</Link>
        </p>
      </Empty>
    </>
  )
}

export function Crumbs({ device, here }: { device: Pick<DeviceWire, 'id' | 'name'>; here?: string }) {
  return (
    <nav className="crumbs" aria-label="You are here">
      <Link to="/dashboard/devices">Devices</Link>
      {here ? <Link to={`/dashboard/devices/${device.id}`}>{device.name}</Link> : null}
      <span aria-current="page">{here ?? device.name}</span>
    </nav>
  )
}
