/** Situations of two at once, and of requests that arrive late. */
import { CANCELLABLE, CANCELLED, PAID, RETURNABLE, type Situation, ofPayment } from '../situation.ts'

const [TWICE, BOOKED_TWICE] = ['paid twice', 'booked twice']

export const races: readonly Situation[] = [
  ofPayment(
    'three workers order at once',
    TWICE,
    async (scene) => {
      scene.provider.interfere('order', 'takes a moment', 3)
      await Promise.all([scene.order(), scene.order(), scene.order()])
      await scene.settle()
    },
    PAID,
  ),
  ofPayment(
    'an order waits at the provider while a second worker orders',
    TWICE,
    async (scene) => {
      const held = scene.provider.hold('order', 'before')
      const first = scene.order()
      await held.waiting
      await scene.order()
      held.release()
      await first
      await scene.settle()
    },
    PAID,
  ),
  ofPayment(
    'an order arrives after we have given it up, and ordered again',
    TWICE,
    async (scene) => {
      const held = scene.provider.hold('order', 'before')
      await scene.order() // its time is over, and a second try goes through
      await scene.drive(2)
      held.release()
      await scene.settle()
    },
    PAID,
  ),
  ofPayment(
    'the answer to an order comes after a second worker has booked the payment',
    BOOKED_TWICE,
    async (scene) => {
      const held = scene.provider.hold('order', 'after')
      const first = scene.order()
      await held.waiting
      scene.provider.files?.work()
      scene.move('settled')
      await scene.order()
      await scene.drive(3)
      held.release()
      await first
      await scene.drive()
    },
    PAID,
  ),
  ofPayment(
    'three workers see at once that it is paid',
    BOOKED_TWICE,
    async (scene) => {
      await scene.order()
      scene.move('settled')
      scene.provider.interfere('find', 'takes a moment', 3)
      await Promise.all([scene.poll(), scene.poll(), scene.poll()])
      await scene.drive()
    },
    PAID,
  ),
  ofPayment(
    'three workers see at once that it came back',
    'given back twice',
    async (scene) => {
      await scene.settle()
      scene.move('returned')
      await scene.callBack()
      scene.provider.interfere('find', 'takes a moment', 3)
      await Promise.all([scene.poll(), scene.poll(), scene.poll()])
      await scene.drive()
    },
    { ends: ['reversed'] },
    RETURNABLE,
  ),
  ofPayment(
    'a person cancels while the order is on its way',
    'given back and paid',
    async (scene) => {
      const held = scene.provider.hold('order', 'before')
      const ordering = scene.order()
      await held.waiting
      await scene.kit.service.cancel(scene.payment)
      held.release()
      await ordering
      await scene.drive()
    },
    CANCELLED,
    CANCELLABLE,
  ),
  ofPayment(
    'two workers cancel at once',
    'given back twice',
    async (scene) => {
      await scene.order()
      await scene.kit.service.cancel(scene.payment)
      scene.provider.interfere('cancel', 'takes a moment', 2)
      await Promise.all([scene.decideCancellation(), scene.decideCancellation()])
      await scene.drive()
    },
    CANCELLED,
    CANCELLABLE,
  ),
]
