-- Audit packs: an export with the population of a period, and a sample that the auditor's seed draws.

alter table exports
  add column sample_size integer check (sample_size between 1 and 300),
  add column sample_seed text;
alter table exports drop constraint exports_type_check;
alter table exports add constraint exports_type_check
  check (type in ('balance_statement', 'expenses', 'transactions', 'audit_pack'));
alter table exports drop constraint exports_format_check;
alter table exports add constraint exports_format_check
  check (format in ('csv', 'xlsx', 'pdf', 'camt053', 'camt054', 'mt940', 'ofx', 'zip'));
alter table exports drop constraint exports_failure_check;
alter table exports add constraint exports_failure_check
  check (failure in ('storage_unavailable', 'interrupted', 'amount_too_large', 'format_not_supported',
    'does_not_add_up', 'log_differs', 'too_large', 'internal_error'));
alter table exports add check ((type = 'audit_pack') = (sample_size is not null and sample_seed is not null));
