/** Addresses of a company: its people and its rules. */
import type { Routes } from '../frame/routes.ts'
import { invite, resend, revoke, showInvitations, showInvite } from './invitations.ts'
import {
  changePermissions,
  changePreset,
  changeRole,
  leaveCompany,
  removeMember,
  showMember,
  transferOwnership,
} from './member.ts'
import { showCompany } from './overview.ts'
import { showPeople } from './people.ts'
import { showActivity } from './activity.ts'
import { claimHandle, removeLogo, saveProfile, saveSettings, setLogo } from './changes.ts'
import {
  addPaper,
  addPerson,
  removePaper,
  removePerson,
  saveEntity,
  savePerson,
  submitOnboarding,
} from './onboarding/acts.ts'
import { showOnboarding } from './onboarding/page.ts'
import {
  addDomain,
  changeProvider,
  changeSecret,
  connectProvider,
  disconnectProvider,
  removeDomain,
  showProvider,
  verifyDomain,
} from './sign-in/provider.ts'
import { cancelLift, liftNetworks, removeNetworks, saveNetworks, showNetworks } from './networks.ts'
import { createToken, revokeToken, setRole, showScim } from './sign-in/scim.ts'
import { showSettings } from './settings.ts'
import { changeDraft, saveRules, showDraft } from './rules/draft.ts'
import { showRules } from './rules/rules.ts'
import { endSubstitution, nameSubstitute, showNewSubstitute, showSubstitutes } from './substitutes.ts'

export const COMPANY: Routes = {
  shown: {
    '/o/:company/company': showCompany,
    '/o/:company/company/people': showPeople,
    '/o/:company/company/people/invite': showInvite,
    '/o/:company/company/people/invitations': showInvitations,
    '/o/:company/company/people/:id': showMember,
    '/o/:company/company/rules': showRules,
    '/o/:company/company/rules/draft': showDraft,
    '/o/:company/company/settings': showSettings,
    '/o/:company/company/sign-in': showProvider,
    '/o/:company/company/sign-in/scim': showScim,
    '/o/:company/company/networks': showNetworks,
    '/o/:company/company/onboarding': showOnboarding,
    '/o/:company/company/activity': showActivity,
    '/o/:company/company/substitutes': showSubstitutes,
    '/o/:company/company/substitutes/new': showNewSubstitute,
  },
  sent: {
    '/o/:company/company/leave': leaveCompany,
    '/o/:company/company/people/invite': invite,
    '/o/:company/company/people/invitations/:id/resend': resend,
    '/o/:company/company/people/invitations/:id/revoke': revoke,
    '/o/:company/company/people/:id/role': changeRole,
    '/o/:company/company/people/:id/preset': changePreset,
    '/o/:company/company/people/:id/permissions': changePermissions,
    '/o/:company/company/people/:id/remove': removeMember,
    '/o/:company/company/people/:id/transfer': transferOwnership,
    '/o/:company/company/rules': saveRules,
    '/o/:company/company/rules/draft': changeDraft,
    '/o/:company/company/settings': saveSettings,
    '/o/:company/company/settings/profile': saveProfile,
    '/o/:company/company/settings/logo': setLogo,
    '/o/:company/company/settings/logo/remove': removeLogo,
    '/o/:company/company/settings/handle': claimHandle,
    '/o/:company/company/sign-in': connectProvider,
    '/o/:company/company/sign-in/change': changeProvider,
    '/o/:company/company/sign-in/scim': createToken,
    '/o/:company/company/sign-in/scim/revoke': revokeToken,
    '/o/:company/company/sign-in/scim/role': setRole,
    '/o/:company/company/sign-in/secret': changeSecret,
    '/o/:company/company/sign-in/disconnect': disconnectProvider,
    '/o/:company/company/sign-in/domains': addDomain,
    '/o/:company/company/sign-in/domains/verify': verifyDomain,
    '/o/:company/company/sign-in/domains/remove': removeDomain,
    '/o/:company/company/networks': saveNetworks,
    '/o/:company/company/networks/remove': removeNetworks,
    '/o/:company/company/networks/lift': liftNetworks,
    '/o/:company/company/networks/lift/cancel': cancelLift,
    '/o/:company/company/onboarding/entity': saveEntity,
    '/o/:company/company/onboarding/people': addPerson,
    '/o/:company/company/onboarding/people/:id': savePerson,
    '/o/:company/company/onboarding/people/:id/remove': removePerson,
    '/o/:company/company/onboarding/papers': addPaper,
    '/o/:company/company/onboarding/papers/:id/remove': removePaper,
    '/o/:company/company/onboarding/submit': submitOnboarding,
    '/o/:company/company/substitutes/new': nameSubstitute,
    '/o/:company/company/substitutes/:id/end': endSubstitution,
  },
}
