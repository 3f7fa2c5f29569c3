-- Formats that accounting programs and banks' programs read.

alter table exports drop constraint exports_format_check;
alter table exports add constraint exports_format_check
  check (format in ('csv', 'xlsx', 'pdf', 'camt053', 'camt054', 'mt940', 'ofx'));
