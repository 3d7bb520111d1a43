import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { DeviceWire } from '../../../src/contract/device.ts'
import { codeTexts } from '../../codes.ts'
import { deviceName, formatReleaseDate } from '../../format.ts'
import { useOperation } from '../../queries.ts'
import { useHasTier } from '../../session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { DevicePicture } from '../../ui/device-picture.tsx'
import { Breadcrumbs, Card, Fact, PageHeader } from '../../ui/page.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { EmptyState, QueryView } from '../../ui/states.tsx'
import { counterUrl } from '../counter/deal.ts'
import { groupConfigurations } from './configurations.ts'
import { RepairSummary } from './repair-summary.tsx'
import { ResaleValue } from './resale-value.tsx'
import { VariantsTable } from './variants-table.tsx'

const FACTS_AT_FIRST = 5

export function DevicePage({ id }: { id: string }) {
  const { t } = useTranslation('devices')
  const request = { params: { id } }
  const query = useOperation('GET /api/devices/{id}', request)
  const mayPrice = useHasTier('paid')
  return (
    <QueryView
      query={query}
      skeletonLines={8}
      title={t('device.title')}
      notFound={
        <EmptyState title={t('device.notFound')} hint={<Link to="/dashboard/devices">{t('search.label')}</Link>} />
      }
    >
      {(device) => (
        <>
          <DeviceBreadcrumbs device={{ id: device.id, name: deviceName(device) }} />
          <PageHeader
            title={deviceName(device)}
            lead={
              <>
                {t('device.lead', {
                  make: device.make.name,
                  category: codeTexts().category(device.category),
                  date: formatReleaseDate(device.release_date, device.release_date_precision),
                })}{' '}
                <Badge tone={device.status === 'active' ? 'good' : 'plain'}>{t(`status.${device.status}`)}</Badge>
              </>
            }
          >
            {mayPrice ? (
              <Link className="button button-primary" to={counterUrl({ device: device.id })}>
                {t('device.appraise')}
              </Link>
            ) : null}
          </PageHeader>
          <div className="device-page">
            {mayPrice ? (
              <ResaleValue deviceId={device.id} configurations={groupConfigurations(device.variants)} />
            ) : (
              <Card title={t('value.title')}>
                <EmptyState title={t('device.needsPaid')} />
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
        </>
      )}
    </QueryView>
  )
}

function Specifications({ device }: { device: DeviceWire }) {
  const { t } = useTranslation('devices')
  const { attributeName, specValue } = codeTexts()
  const facts: [string, string][] = [
    ...Object.entries(device.technical_specifications).map(([name, value]): [string, string] => [
      attributeName(name),
      specValue(value),
    ]),
    [t('spec.modelNumbers'), device.model_numbers.join(', ') || t('spec.unknown')],
  ]
  if (device.model_identifiers.length > 0) facts.push([t('spec.modelIdentifiers'), device.model_identifiers.join(', ')])
  return (
    <Card title={t('spec.title')}>
      <ShowMore items={facts} limit={FACTS_AT_FIRST} label={t('spec.showAll', { count: facts.length })}>
        {(shown) => (
          <dl className="facts">
            {shown.map(([name, value]) => (
              <Fact key={name} name={name}>
                {value}
              </Fact>
            ))}
          </dl>
        )}
      </ShowMore>
    </Card>
  )
}

export function DeviceBreadcrumbs({ device, here }: { device: Pick<DeviceWire, 'id' | 'name'>; here?: string }) {
  const { t } = useTranslation('devices')
  const devices = ['/dashboard/devices', t('title')] as const
  const links = here ? [devices, [`/dashboard/devices/${device.id}`, device.name] as const] : [devices]
  return <Breadcrumbs label={t('device.breadcrumb')} links={links} here={here ?? device.name} />
}
