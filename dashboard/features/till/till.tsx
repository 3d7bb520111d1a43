import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import type { ColleagueWire, SessionWire } from '../../../src/contract/account.ts'
import { callApi } from '../../api.ts'
import { queryClient, useOperation } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { moveDraft } from '../counter/draft.ts'
import { SignInForm } from '../sign-in/sign-in-page.tsx'

const LAST_USE_KEY = 'till-last-use'
const MINUTE_MS = 60_000
/** Uses are written this often. */
const USE_RESOLUTION_MS = 5_000
const CHECK_MS = 5_000
const USES = ['pointerdown', 'keydown', 'scroll'] as const

/** On a device that several people use: who is there can change, and after a while without use the page asks. */
export function Till() {
  const { shop_device: device, organization } = useSession()
  const { t } = useTranslation('till')
  const [isChanging, setChanging] = useState(false)
  const [isIdle, setIdle] = useIdle(device === null ? null : organization.till_idle_minutes)
  if (device === null) return null
  const close = () => {
    setChanging(false)
    setIdle(false)
  }
  return (
    <>
      <Button variant="link" onClick={() => setChanging(true)}>
        {t('change')}
      </Button>
      {isChanging || isIdle ? <ChangePerson mayCancel={!isIdle} close={close} /> : null}
    </>
  )
}

/** Whether nobody has used the device for these minutes, also before the page was loaded again. */
function useIdle(minutes: number | null): [boolean, (isIdle: boolean) => void] {
  const isOver = () => minutes !== null && Date.now() - lastUse() > minutes * MINUTE_MS
  const [isIdle, setIdle] = useState(isOver)
  const check = useEffectEvent(() => {
    if (isOver()) setIdle(true)
  })
  const used = useEffectEvent(() => {
    if (!isIdle && Date.now() - lastUse() > USE_RESOLUTION_MS && !isOver()) noteUse()
  })
  useEffect(() => {
    if (minutes === null) return
    if (localStorage.getItem(LAST_USE_KEY) === null) noteUse()
    const timer = setInterval(check, CHECK_MS)
    const listener = () => used()
    for (const use of USES) addEventListener(use, listener, { capture: true, passive: true })
    return () => {
      clearInterval(timer)
      for (const use of USES) removeEventListener(use, listener, { capture: true })
    }
  }, [minutes])
  const set = (next: boolean) => {
    if (!next) noteUse()
    setIdle(next)
  }
  return [isIdle, set]
}

const noteUse = () => localStorage.setItem(LAST_USE_KEY, String(Date.now()))
/** Now if it was never used. */
const lastUse = () => Number(localStorage.getItem(LAST_USE_KEY) ?? Date.now())

/** The people of the shop by name; who is chosen signs in, and the page with the open appraisal stays. */
function ChangePerson({ mayCancel, close }: { mayCancel: boolean; close: () => void }) {
  const { t } = useTranslation(['till', 'common'])
  const session = useSession()
  const people = useOperation('GET /account/people', {}).data?.data ?? []
  const [chosen, setChosen] = useState<ColleagueWire | null>(null)
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (!ref.current?.open) ref.current?.showModal()
  }, [])
  async function enter() {
    const { data: now } = await callApi('GET /account/session', {})
    moveDraft(session, now)
    close()
    // What one person may see another may not: every page is read again, and stays where it is.
    await queryClient.resetQueries()
  }
  // Outside of the menu, which is not displayed on a phone.
  return createPortal(
    <dialog
      ref={ref}
      className="sign-in-again"
      aria-label={t('who')}
      onCancel={(event) => (mayCancel ? close() : event.preventDefault())}
      // Browsers close a dialog on a second Escape even if `cancel` was prevented.
      onKeyDown={(event) => (!mayCancel && event.key === 'Escape' ? event.preventDefault() : undefined)}
    >
      {chosen ? (
        <SignInForm lead={t('signInAs', { name: nameOf(chosen) })} email={chosen.email} isOnTop enter={enter} />
      ) : (
        <div className="till-people">
          <h2>{t('who')}</h2>
          <p className="muted">{t('lead')}</p>
          <ul className="plain-list">
            {people.map((person) => (
              <li key={person.id}>
                <Button onClick={() => setChosen(person)}>
                  <span>{nameOf(person)}</span> <span className="muted">{t(`common:role.${person.role}`)}</span>
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
      <p className="actions">
        {chosen ? (
          <Button variant="link" onClick={() => setChosen(null)}>
            {t('others')}
          </Button>
        ) : null}
        {mayCancel ? (
          <Button variant="link" onClick={close}>
            {t('common:action.cancel')}
          </Button>
        ) : null}
      </p>
    </dialog>,
    document.body,
  )
}

const nameOf = ({ name, email }: Pick<SessionWire['person'], 'name' | 'email'>) => name || email
