import { lookTests } from './look-tests.ts'

lookTests('desk')
