import { useState } from 'react'
import { Link } from 'wouter'
import type { DeviceWire } from '../../src/contract/device.ts'
import type { VariantWire } from '../../src/contract/variant.ts'
import { useAnswer } from '../answers.ts'
import { Badge, Card, Empty, PageHead, Scroll, Shown } from '../parts/basics.tsx'
import { CallPanel } from '../parts/code.tsx'
import { Picture } from '../parts/picture.tsx'
import { useMayUse } from '../session.tsx'
import { money, plural, released, spoken } from '../words.ts'

const deviceQuery = (id: string) => `devices?search=${encodeURIComponent(id)}&limit=50`

export function DevicePage({ id }: { id: string }) {
  const path = deviceQuery(id)
  const asked = useAnswer<DeviceWire[]>(`/account/explore/${path}`)
  return (
    <Shown asked={asked} lines={8} title="Device">
      {(list, { text }) => {
        const device = list.find((one) => one.id === id)
        if (!device) return <NoDevice />
        return (
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
              <DeviceLinks device={device} />
            </PageHead>
            <div className="device-top">
              <Picture of={device.thumbnail} large />
              <Card title="Specifications">
                <dl className="facts">
                  {Object.entries(device.technical_specifications).map(([name, value]) => (
                    <div key={name}>
                      <dt>{spoken(name)}</dt>
                      <dd>{value}</dd>
                    </div>
                  ))}
                  <div>
                    <dt>Model numbers</dt>
                    <dd>{device.model_numbers.join(', ') || 'unknown'}</dd>
                  </div>
                  {device.model_identifiers.length > 0 ? (
                    <div>
                      <dt>Model identifiers</dt>
                      <dd>{device.model_identifiers.join(', ')}</dd>
                    </div>
                  ) : null}
                </dl>
              </Card>
            </div>
            <Variants device={device} />
            <CallPanel path={path} answer={text} />
          </>
        )
      }}
    </Shown>
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

function DeviceLinks({ device }: { device: DeviceWire }) {
  const mayPaid = useMayUse('paid')
  if (!mayPaid) return null
  return (
    <Link className="button button-plain" to={`/dashboard/devices/${device.id}/repairs`}>
      Repairs
    </Link>
  )
}

function Variants({ device }: { device: DeviceWire }) {
  const [filter, setFilter] = useState('')
  const mayPaid = useMayUse('paid')
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (variant: VariantWire) => words.every((word) => variant.name.toLowerCase().includes(word))
  const shown = device.variants.filter(fits)
  const names = [...new Set(device.variants.flatMap((variant) => variant.attributes.map((one) => one.attribute_name)))]
  return (
    <Card
      title={plural(device.variants.length, 'variant')}
      action={
        device.variants.length > 8 ? (
          <label>
            <span className="unseen">Filter variants</span>
            <input
              type="search"
              placeholder="Filter…"
              value={filter}
              onChange={(event) => setFilter(event.target.value)}
            />
          </label>
        ) : undefined
      }
    >
      {shown.length === 0 ? (
        <Empty title="No variant matches" />
      ) : (
        <Scroll label="Variants" cards>
          <table>
            <thead>
              <tr>
                {names.map((name) => (
                  <th key={name} scope="col">
                    {spoken(name)}
                  </th>
                ))}
                <th scope="col">List price</th>
                <th scope="col">Part numbers</th>
                <th scope="col">
                  <span className="unseen">Price today</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((variant) => (
                <tr key={variant.id} className={variant.disabled ? 'past' : undefined}>
                  {names.map((name) => (
                    <td key={name} data-label={spoken(name)}>
                      {variant.attributes.find((one) => one.attribute_name === name)?.attribute_value ?? '–'}
                    </td>
                  ))}
                  <td data-label="List price">
                    {variant.disabled && variant.price === 0 ? 'unknown' : money(variant.price)}
                  </td>
                  <td data-label="Part numbers" className={variant.part_numbers.length > 0 ? 'soft' : 'soft blank'}>
                    {variant.part_numbers.join(', ') || '–'}
                  </td>
                  <td className="row-actions">
                    {mayPaid && !variant.disabled ? (
                      <Link to={`/dashboard/devices/${device.id}/price/${variant.id}`}>
                        Price today<span className="unseen"> of {variant.name}</span>
                      </Link>
                    ) : null}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </Card>
  )
}
