import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OrganizationWire } from '../../../src/contract/management-organization.ts'
import type { CursorMeta } from '../../../src/contract/paging.ts'
import { TIERS, type Tier } from '../../../src/contract/tiers.ts'
import { callApi } from '../../api.ts'
import { formatCount, formatCountry, formatDay } from '../../format.ts'
import { useOperation } from '../../queries.ts'
import { Badge, TierBadge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { EmailField, SelectField, TextField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { CursorPagination } from '../../ui/pagination.tsx'
import { QueryView } from '../../ui/states.tsx'
import { LinkDialog, type NewLink } from '../members/member-dialogs.tsx'

type OpenDialog =
  | { kind: 'create' }
  | { kind: 'change' | 'remove'; organization: OrganizationWire }
  | { kind: 'link'; link: NewLink }

/** Organizations of the service: a new one gets its first owner by a link. Their data are their own. */
export function OrganizationsCard() {
  const { t } = useTranslation('service-settings')
  const [after, setAfter] = useState('')
  const query = useOperation('GET /api/manage/organizations', { query: { after, limit: 20 } })
  const [open, setOpen] = useState<OpenDialog>()
  const close = () => setOpen(undefined)
  return (
    <Card
      title={t('organizations.title')}
      note={t('organizations.note')}
      action={<Button onClick={() => setOpen({ kind: 'create' })}>{t('organizations.add')}</Button>}
    >
      <QueryView query={query} skeletonLines={3}>
        {(organizations, { meta }) => (
          <>
            <OrganizationsTable
              organizations={organizations}
              open={(kind, organization) => setOpen({ kind, organization })}
            />
            {meta ? (
              <CursorPagination meta={meta as unknown as CursorMeta} isFirst={after === ''} onChange={setAfter} />
            ) : null}
          </>
        )}
      </QueryView>
      {open?.kind === 'create' ? (
        <CreateDialog close={close} created={(link) => setOpen({ kind: 'link', link })} />
      ) : null}
      {open?.kind === 'change' ? <ChangeDialog organization={open.organization} close={close} /> : null}
      {open?.kind === 'remove' ? <RemoveOrganizationDialog organization={open.organization} close={close} /> : null}
      {open?.kind === 'link' ? <LinkDialog {...open.link} close={close} /> : null}
    </Card>
  )
}

function OrganizationsTable({
  organizations,
  open,
}: {
  organizations: readonly OrganizationWire[]
  open: (dialog: 'change' | 'remove', organization: OrganizationWire) => void
}) {
  const { t } = useTranslation(['service-settings', 'common'])
  return (
    <DataTable
      label={t('organizations.title')}
      rows={organizations}
      rowKey={({ id }) => id}
      columns={[
        {
          title: t('name'),
          isRowName: true,
          cell: ({ name, runs_service: runsService, being_removed: isBeingRemoved }) => (
            <>
              <strong className="breakable">{name}</strong>{' '}
              {runsService ? <Badge tone="accent">{t('organizations.operator')}</Badge> : null}
              {isBeingRemoved ? <Badge tone="warn">{t('organizations.beingRemoved')}</Badge> : null}
            </>
          ),
        },
        { title: t('organizations.tier'), cell: ({ tier }) => <TierBadge tier={tier} /> },
        {
          title: t('organizations.limit'),
          className: 'number roomy-only',
          cell: ({ limit_per_minute: limit }) => (limit === null ? t('organizations.byTier') : formatCount(limit)),
        },
        {
          title: t('general.market'),
          className: 'roomy-only',
          cell: ({ market }) => (market === null ? t('organizations.ofService') : formatCountry(market, market)),
        },
        {
          title: t('organizations.created'),
          className: 'nowrap desk-only',
          cell: ({ created_at: at }) => formatDay(at),
        },
      ]}
      actions={(organization) =>
        organization.being_removed ? null : (
          <div className="row-actions-wrap">
            <Button
              aria-label={t('editNamed', { name: organization.name })}
              onClick={() => open('change', organization)}
            >
              {t('edit')}
            </Button>
            {organization.runs_service ? null : (
              <Button
                variant="danger"
                aria-label={t('organizations.removeNamed', { name: organization.name })}
                onClick={() => open('remove', organization)}
              >
                {t('common:action.remove')}
              </Button>
            )}
          </div>
        )
      }
    />
  )
}

function TierField({ tier, choose }: { tier: Tier; choose: (tier: Tier) => void }) {
  const { t } = useTranslation(['service-settings', 'keys'])
  return (
    <SelectField
      label={t('organizations.tier')}
      hint={t('organizations.tierHint')}
      value={tier}
      options={TIERS.map((each) => [each, `${each}: ${t(`keys:tier.${each}`)}`] as const)}
      onValueChange={choose}
    />
  )
}

/** Creates the organization and invites its first owner. */
function CreateDialog({ close, created }: { close: () => void; created: (link: NewLink) => void }) {
  const { t } = useTranslation(['service-settings', 'members'])
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [tier, setTier] = useState<Tier>('enterprise')
  /** Kept when the invitation fails, so that sending it again does not create a second organization. */
  const [id, setId] = useState<string>()
  const send = async () => {
    const newId = id ?? (await callApi('POST /api/manage/organizations', { body: { name, tier } })).data.id
    setId(newId)
    const { data } = await callApi('POST /api/manage/invitations', {
      query: { organization_id: newId },
      body: { email, role: 'owner' },
    })
    return data
  }
  return (
    <FormDialog
      title={t('organizations.add')}
      action={t('organizations.create')}
      send={send}
      onSent={({ link = '', mailed }) => created({ title: t('members:link.invitation'), email, link, mailed })}
      close={close}
    >
      <TextField
        label={t('name')}
        required
        maxLength={100}
        value={name}
        disabled={id !== undefined}
        onValueChange={setName}
      />
      <EmailField label={t('organizations.owner')} autoComplete="off" value={email} onValueChange={setEmail} />
      <TierField tier={tier} choose={setTier} />
    </FormDialog>
  )
}

function ChangeDialog({ organization, close }: { organization: OrganizationWire; close: () => void }) {
  const { t } = useTranslation(['service-settings', 'common'])
  const [name, setName] = useState(organization.name)
  const [tier, setTier] = useState(organization.tier)
  const [limit, setLimit] = useState(String(organization.limit_per_minute ?? ''))
  const send = () =>
    callApi('PATCH /api/manage/organizations/{id}', {
      params: { id: organization.id },
      body: {
        ...(name === organization.name ? {} : { name }),
        ...(tier === organization.tier ? {} : { tier }),
        ...(limit === String(organization.limit_per_minute ?? '')
          ? {}
          : { limit_per_minute: limit === '' ? null : Number(limit) }),
      },
    })
  return (
    <FormDialog
      title={t('editNamed', { name: organization.name })}
      action={t('common:action.save')}
      send={send}
      close={close}
    >
      <TextField label={t('name')} required maxLength={100} value={name} onValueChange={setName} />
      <TierField tier={tier} choose={setTier} />
      <TextField
        label={t('organizations.limit')}
        hint={t('organizations.limitHint')}
        type="number"
        min={1}
        max={9_999_999}
        value={limit}
        onValueChange={setLimit}
      />
    </FormDialog>
  )
}

/** The name is typed, so that no other organization is removed by mistake. */
function RemoveOrganizationDialog({
  organization: { id, name },
  close,
}: {
  organization: OrganizationWire
  close: () => void
}) {
  const { t } = useTranslation(['service-settings', 'common'])
  const [typed, setTyped] = useState('')
  const send = () => callApi('DELETE /api/manage/organizations/{id}', { params: { id }, query: { confirm: typed } })
  return (
    <FormDialog
      title={t('remove', { name })}
      action={t('organizations.remove')}
      isDangerous
      isDisabled={typed !== name}
      send={send}
      close={close}
    >
      <p>{t('organizations.removeHint')}</p>
      <TextField
        label={t('organizations.typeName', { name })}
        required
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onValueChange={setTyped}
      />
    </FormDialog>
  )
}
