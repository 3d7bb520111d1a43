import { Link } from 'wouter'
import type { DeviceWire } from '../../../src/contract/device.ts'
import { formatReleaseDate, humanize } from '../../format.ts'
import { useApiQuery } from '../../queries.ts'
import { useHasTier } from '../../session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { ApiCallPanel } from '../../ui/code-block.tsx'
import { DevicePicture } from '../../ui/device-picture.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { counterUrl } from '../counter/deal.ts'
import { groupConfigurations } from './configurations.ts'
import { RepairSummary } from './repair-summary.tsx'
import { ResaleValue } from './resale-value.tsx'
import { VariantsTable } from './variants-table.tsx'

const FACTS_AT_FIRST = 5

export function DevicePage({ id }: { id: string }) {
  const path = `devices/${encodeURIComponent(id)}`
  const query = useApiQuery<DeviceWire>(`/account/explore/${path}`)
  const mayPrice = useHasTier('paid')
  if (query.error?.code === 'NOT_FOUND') return <DeviceNotFound />
  return (
    <QueryView query={query} skeletonLines={8} title="Device">
      {(device, { rawBody: text }) => (
        <>
          <DeviceBreadcrumbs device={device} />
          <PageHeader
            title={device.name}
            lead={
              <>
                {device.make.name} · {device.category.name} · released{' '}
                {formatReleaseDate(device.release_date, device.release_date_precision)}{' '}
                <Badge tone={device.status === 'active' ? 'good' : 'plain'}>{device.status}</Badge>
              </>
            }
          >
            {mayPrice ? (
              <Link className="button button-primary" to={counterUrl({ device: device.id })}>
                Appraise
              </Link>
            ) : null}
          </PageHeader>
          <div className="device-page">
            {mayPrice ? (
              <ResaleValue deviceId={device.id} configurations={groupConfigurations(device.variants)} />
            ) : (
              <Card title="Used value">
                <EmptyState title="Prices and repairs need the Paid tier" />
              </Card>
            )}
            <div>
              <DevicePicture of={device.thumbnail} large />
              {mayPrice ? <RepairSummary deviceId={device.id} /> : null}
            </div>
          </div>
          <div className="device-page">
            <VariantsTable device={device} />
            <Specifications device={device} />
          </div>
          <ApiCallPanel path={path} answer={text} />
        </>
      )}
    </QueryView>
  )
}

function Specifications({ device }: { device: DeviceWire }) {
  const facts: [string, string][] = [
    ...Object.entries(device.technical_specifications).map(([name, value]): [string, string] => [
      humanize(name),
      value,
    ]),
    ['Model numbers', device.model_numbers.join(', ') || 'unknown'],
  ]
  if (device.model_identifiers.length > 0) facts.push(['Model identifiers', device.model_identifiers.join(', ')])
  return (
    <Card title="Specifications">
      <ShowMore items={facts} limit={FACTS_AT_FIRST} label={`Show all ${facts.length} specifications`}>
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
      </ShowMore>
    </Card>
  )
}

function DeviceNotFound() {
  return (
    <>
      <PageHeader title="Device" />
      <EmptyState title="Device not found">
        <p>
          <Link to="/dashboard/devices">Search devices</Link>
        </p>
      </EmptyState>
    </>
  )
}

export function DeviceBreadcrumbs({ device, here }: { device: Pick<DeviceWire, 'id' | 'name'>; here?: string }) {
  return (
    <nav className="crumbs" aria-label="Breadcrumb">
      <Link to="/dashboard/devices">Devices</Link>
      {here ? <Link to={`/dashboard/devices/${device.id}`}>{device.name}</Link> : null}
      <span aria-current="page">{here ?? device.name}</span>
    </nav>
  )
}
