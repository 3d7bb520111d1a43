import { useState } from 'react'
import { RequestError } from './api.ts'

/** What a person confirms although the service would have rejected it. */
export type Confirmation = 'confirm_duplicate' | 'confirm_amount'

/** The confirmation that a rejected purchase or sale needs; null if it was rejected for another reason. */
export function neededConfirmation(error: unknown): Confirmation | null {
  if (!(error instanceof RequestError) || error.code !== 'VALIDATION_ERROR') return null
  if (error.field?.endsWith('confirm_duplicate')) return 'confirm_duplicate'
  return error.reasonCode === 'price_implausible' || error.reasonCode === 'price_moves_own_prices'
    ? 'confirm_amount'
    : null
}

/** Sends a form; sending the same entries again after the service asked whether an amount is right confirms it. */
export function useConfirmedAmount() {
  const [asked, setAsked] = useState<string>()
  return async <Result>(entries: object, send: (confirmation: { confirm_amount?: true }) => Promise<Result>) => {
    const key = JSON.stringify(entries)
    try {
      return await send(key === asked ? { confirm_amount: true } : {})
    } catch (error) {
      if (neededConfirmation(error) === 'confirm_amount') setAsked(key)
      throw error
    }
  }
}
